package companion

import "regexp"

func hookName() *regexp.Regexp { return regexp.MustCompile(`\A[A-Za-z0-9_.-]{1,100}\z`) }
