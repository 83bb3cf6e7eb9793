package wpconfig

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// bedrockProject returns the folder of a project on Bedrock for the absolute path of its
// config/application.php. ok is false for other files.
func bedrockProject(path string) (dir string, ok bool) {
	config, name := filepath.Split(path)
	if name != "application.php" {
		return "", false
	}
	return filepath.Dir(filepath.Clean(config)), true
}

// readDotenv reads .env and, like Bedrock, .env.local of a project. Both may be missing; without
// .env, the other is not read.
func readDotenv(d *dotenv, project string) error {
	for _, name := range []string{".env", ".env.local"} {
		file := filepath.Join(project, name)
		info, err := os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if info.Size() > maxFile {
			return fmt.Errorf("%s is too large for a file of variables", file)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := d.add(string(data)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// environmentOf returns a function that looks up variables; "" means that one is not set.
func environmentOf(getenv func(string) string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v := getenv(name)
		return v, v != ""
	}
}

// WordPressDirs returns the folders where WordPress itself may be: that of the file, or web/wp
// of a project on Bedrock.
func (f *File) WordPressDirs() []string {
	dirs := []string{filepath.Dir(f.Path)}
	if absolute, err := filepath.Abs(f.Path); err == nil {
		if project, ok := bedrockProject(absolute); ok {
			dirs = append(dirs, filepath.Join(project, "web", "wp"))
		}
	}
	return dirs
}
