package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// find finds the mutants of a package in the files whose names match.
func find(dir string, files *regexp.Regexp, all bool, every int) ([]mutant, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return strings.HasSuffix(path, "_test.go") })
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, path := range paths {
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	// A literal of unknown type gets its own build, so errors don't matter.
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	checker := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(error) {}}
	pkg, _ := checker.Check(dir, fset, parsed, info)

	var mutants []mutant
	n := 0
	collect := func(path string, root ast.Node) {
		seen := map[ast.Expr]bool{}
		ast.Inspect(root, func(node ast.Node) bool {
			for _, element := range elements(node) {
				for _, operand := range operands(element) {
					value := operand.literal
					if seen[value] {
						continue
					}
					seen[value] = true
					whole := literal{start: fset.Position(value.Pos()).Offset, end: fset.Position(value.End()).Offset}
					decl, ok := root.(*ast.GenDecl)
					if constant := ok && decl.Tok == token.CONST; !constant || stringsOnly(decl, info) {
						whole.typ = typeName(info.TypeOf(operand.of), pkg)
						if constant {
							whole.constant = fset.Position(decl.Pos()).Offset
						}
					}
					for _, edit := range others(value) {
						if n++; n%every != 0 {
							continue
						}
						pos := fset.Position(value.Pos() + token.Pos(edit.start))
						mutants = append(mutants, mutant{path: path, pos: pos, start: pos.Offset,
							end: pos.Offset + len(edit.from), from: edit.from, to: edit.to, literal: whole})
					}
				}
			}
			return true
		})
	}
	for i, file := range parsed {
		if !files.MatchString(filepath.Base(paths[i])) {
			continue
		}
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok && (g.Tok == token.VAR || g.Tok == token.CONST) || all {
				collect(paths[i], decl)
			}
		}
	}
	return mutants, nil
}

// stringsOnly reports whether all constants of a declaration are strings.
func stringsOnly(decl *ast.GenDecl, info *types.Info) bool {
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		if spec.Type != nil || len(spec.Values) == 0 {
			return false
		}
		for _, value := range spec.Values {
			if t := info.TypeOf(value); t == nil || types.Default(t) != types.Typ[types.String] {
				return false
			}
		}
	}
	return true
}

// typeName returns the type as written in the package, or "" for one that has to be
// imported.
func typeName(t types.Type, pkg *types.Package) string {
	if t == nil || t == types.Typ[types.Invalid] {
		return ""
	}
	name := types.TypeString(types.Default(t), types.RelativeTo(pkg))
	if strings.ContainsAny(name, "./") {
		return ""
	}
	return name
}
