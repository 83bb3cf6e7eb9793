package notice

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// ErrNotInstalled is returned if WordPress doesn't have the plugin's routes.
var ErrNotInstalled = errors.New("the companion plugin is not installed there, or has no secret (status 404)")

// savedTimeout limits a request with saves, during which listeners of all plugins run.
const savedTimeout = time.Minute

// maxAnswer, in bytes, is more than the plugin ever sends.
const maxAnswer = 64 << 10

// Status describes the WordPress of the plugin, for a check of the installation.
type Status struct {
	Companion   string `json:"companion"` // version of the plugin
	WordPress   string `json:"wordpress"` // version
	PHP         string `json:"php"`       // version
	Time        int64  `json:"time"`      // Unix seconds by WordPress's clock
	ObjectCache bool   `json:"object_cache"`
	// PageCache reports that an advanced-cache.php is active.
	PageCache    bool  `json:"page_cache"`
	CronDisabled bool  `json:"cron_disabled"` // by DISABLE_WP_CRON
	CronOverdue  int64 `json:"cron_overdue"`  // seconds since the oldest due task should have run
	FiresActions bool  `json:"fires_actions"`
	// Sequence is the value of [SequenceOption]. It is "" if an older plugin numbers nothing, or if
	// the plugin sends no notices.
	Sequence string `json:"sequence"`
	// SendsNotices reports that the plugin has addresses to send notices to.
	SendsNotices bool `json:"sends_notices"`
	// Missed is the number of those addresses that could not be reached the last time.
	Missed int `json:"missed"`
}

// Status requests the plugin's report about its WordPress.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var s Status
	err := c.ask(ctx, http.MethodGet, c.status, statusOfWordPress, nil, c.Timeout, &s)
	return s, err
}

// post delivers one notice. nil means that WordPress has applied it.
func (c *Client) post(ctx context.Context, n Notice) error {
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	if len(body) > MaxBody {
		// Names of options can be long; WordPress would refuse the notice.
		body, err = json.Marshal(Notice{All: true, Cron: n.Cron, Saved: n.Saved})
		if err != nil {
			return err
		}
	}
	timeout := c.Timeout
	if len(n.Saved) > 0 {
		timeout = max(timeout, savedTimeout)
	}
	var applied struct {
		FailedActions int `json:"failed_actions"`
	}
	if err := c.ask(ctx, http.MethodPost, c.notice, noticeToWordPress, body, timeout, &applied); err != nil {
		return err
	}
	if applied.FailedActions > 0 {
		c.Logger.Warn("plugins of WordPress failed in the hooks of some saves; see the PHP error log", "saves", applied.FailedActions)
	}
	return nil
}

// ask sends one signed request and reads the plugin's response into answer.
func (c *Client) ask(ctx context.Context, method, url, purpose string, body []byte, timeout time.Duration, answer any) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Host = c.Host
	req.Header.Set("User-Agent", cmp.Or(c.Agent, "calbridge"))
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	sign(req.Header, c.Secret, purpose, time.Now(), body)
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return err
	}
	return understand(resp, text, answer)
}

// understand reads a response of the plugin. Any other response of a web server is an error, even
// with status 200.
func understand(resp *http.Response, text []byte, answer any) error {
	var said struct {
		Companion string `json:"companion"`
		Error     string `json:"error"`
	}
	ours := json.Unmarshal(text, &said) == nil && said.Companion != ""
	switch {
	case ours && resp.StatusCode == http.StatusOK:
		return json.Unmarshal(text, answer)
	case ours:
		return fmt.Errorf("the companion plugin answers %d: %s", resp.StatusCode, said.Error)
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		return fmt.Errorf("the address of WordPress redirects to %q: give the address that answers itself, or the Host", resp.Header.Get("Location"))
	case resp.StatusCode == http.StatusNotFound:
		return ErrNotInstalled
	}
	return fmt.Errorf("no answer of the companion plugin, but status %d", resp.StatusCode)
}
