package main

import (
	"fmt"
	"net"

	"calbridge/wpstore/mariadbd"
)

// startGalera starts a cluster of one node with the server on the PATH. It has accounts, since
// Galera needs the tables of privileges.
func startGalera() (*mariadbd.Server, error) {
	nodes, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := nodes.Addr().(*net.TCPAddr).Port
	if err := nodes.Close(); err != nil {
		return nil, err
	}
	return mariadbd.Start(mariadbd.Options{Accounts: true, BinaryLog: true, Args: []string{
		"--innodb-autoinc-lock-mode=2", "--log-slave-updates",
		"--wsrep-on=ON", "--wsrep-provider=/usr/lib/galera/libgalera_smm.so", "--wsrep-cluster-address=gcomm://", "--wsrep-new-cluster", "--wsrep-node-address=127.0.0.1",
		fmt.Sprintf("--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:%d;base_port=%d", port, port),
	}})
}
