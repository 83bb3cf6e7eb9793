package phpdate

// readZone reads an identifier, an abbreviation or an offset.
func (r *reading) readZone(text string) error {
	zone, _, err := r.zones.leading(text)
	if err == nil {
		r.zone = zone
	}
	return err
}

// claimZone counts a zone of the string. The second is ignored (repeated), the
// third is an error.
func (r *reading) claimZone() (repeated bool, err error) {
	r.shifts++
	switch {
	case r.shifts == 2:
		return true, nil
	case r.shifts > 2:
		return false, errDoubleZone
	}
	return false, nil
}

// readZoneToken reads a zone that stands for itself.
func readZoneToken(r *reading, c *cursor) error {
	if repeated, err := r.claimZone(); repeated || err != nil {
		return err
	}
	return r.readZone(c.text)
}

// trailingZone reads the zone at the end of a token, if there is one.
func (r *reading) trailingZone(c *cursor) error {
	for c.at < len(c.text) && inSet(" \t", c.text[c.at]) {
		c.at++
	}
	if c.at == len(c.text) {
		return nil
	}
	return r.readZone(c.text[c.at:])
}
