package profile

import (
	"strconv"
	"strings"

	"calbridge/compat/jsontree"
)

// voteDocument takes the texts of the OpenAPI document, or of the part of it that
// was asked for.
func voteDocument(v *votes, from source, root *jsontree.Node) {
	if root.Member("openapi") == nil && root.Member("info") == nil && root.Member("paths") == nil && root.Member("components") == nil {
		return
	}
	v.add(from, slot{section: sectionDoc, key: "/info/title"}, root.Member("info").Member("title").Text(), 1)
	voteDescriptions(v, from, "", root)
}

func voteDescriptions(v *votes, from source, pointer string, node *jsontree.Node) {
	for i, item := range node.Items {
		var step string
		if node.Kind == jsontree.Object {
			step = strings.NewReplacer("~", "~0", "/", "~1").Replace(node.Names[i])
			if node.Names[i] == "description" && item.Kind == jsontree.String {
				v.add(from, slot{section: sectionDoc, key: pointer + "/description"}, item.Text(), 1)
				continue
			}
		} else {
			step = strconv.Itoa(i)
		}
		voteDescriptions(v, from, pointer+"/"+step, item)
	}
}
