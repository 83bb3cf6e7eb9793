// # The server followed
//
//   - source.go: [Source]: whether it is the primary, its position, which transactions are
//     visible to every connection
//   - node.go: the state of a server, in the terms of MySQL or MariaDB
//   - settings.go: the settings of its log, and which of them are obstacles
package changefeed
