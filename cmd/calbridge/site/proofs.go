package site

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/metrics"
	"calbridge/rest/proof"
	"calbridge/wpstore/guard"
)

// proofs counts what a site in mode auto has proved, and saves it in the state folder. It
// implements proof.Observer.
type proofs struct {
	*metrics.Proof // implements Decided
	dir            string
	name           string // of the site; "" before it is known
	logger         *slog.Logger
	guard          *guard.Guard
	keeper         atomic.Pointer[proof.Store] // nil while nothing is saved
}

func newProofs(s *settings.Settings, m *metrics.Proof, logger *slog.Logger, g *guard.Guard) *proofs {
	p := &proofs{Proof: m, logger: logger, guard: g}
	if s.StateDir != "" {
		p.dir = proofDir(s)
	}
	return p
}

// Ended implements proof.Observer.
func (p *proofs) Ended(why proof.Ending) {
	p.Proof.Ended(why)
	if k := p.keeper.Load(); k != nil {
		k.Ended(why)
	}
}

// identify returns a name for the site that depends on its database and its addresses.
func (p *proofs) identify(ctx context.Context, s *settings.Settings, of *Parts) error {
	made, err := of.Store.JournalSite().Made(ctx)
	if err != nil {
		return err
	}
	server := of.Store.Servers.Feed().Config()
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{
		server.Net, server.Addr, server.DBName, s.Database.TablePrefix, fmt.Sprint(s.Database.BlogID), made, of.Home, s.API.Namespace, s.Rollout.Upstream.URL, s.Rollout.Upstream.Host,
	}))
	p.name = hex.EncodeToString(sum[:16])
	return nil
}

// keep saves in the state folder what a prover has proved, and from then on what it proves.
func (p *proofs) keep(prover *proof.Prover) {
	if p.dir == "" {
		return
	}
	k, err := proof.Open(proof.StoreConfig{Dir: p.dir, Site: p.name, Logger: p.logger, Guard: p.guard}, prover)
	if err != nil {
		p.logger.Warn("proofs will not survive a restart: make --state-dir writable, and let no other process use it", "err", err)
		return
	}
	p.keeper.Store(k)
}

// stop ends saving with the given method of the keeper.
func (p *proofs) stop(by func(*proof.Store) error) {
	if p == nil {
		return
	}
	if k := p.keeper.Swap(nil); k != nil {
		if err := by(k); err != nil {
			p.logger.Warn("proofs could not be saved", "err", err)
		}
	}
}

// KeepProofs saves what mode auto proves in the state folder, from now until the site is
// closed or hands over. Only one site at a time may do this.
func (s *Site) KeepProofs() {
	if s.proofs != nil {
		s.proofs.keep(s.prover)
	}
}

// HandOver lets next continue with what mode auto has proved, if both sites have the same
// database and the same facts. Requests must already go to next.
func (s *Site) HandOver(ctx context.Context, next *Site) {
	defer next.KeepProofs()
	if s.proofs == nil || next.proofs == nil || s.proofs.name != next.proofs.name {
		s.proofs.stop((*proof.Store).Close)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, handOverTimeout)
	defer cancel()
	s.proofs.stop((*proof.Store).Leave)
	taken, err := proof.HandOver(ctx, s.prover, next.prover, s.catchUp)
	logger := s.proofs.logger
	switch {
	case err != nil:
		logger.Warn("the site's facts can't be read, so all proofs start over", "err", err)
	case len(taken.Changed) > 0:
		logger.Info("the site or the settings have changed, so all proofs start over", "facts", strings.Join(taken.Changed, " "))
	default:
		logger.Info("saved proofs are still valid", "shapes", taken.Shapes, "objects", taken.Objects)
	}
}

const (
	// handOverTimeout limits how long a reload waits for the facts and for changes of rows.
	handOverTimeout = 10 * time.Second
	// catchUpPause is the pause after a failed attempt to catch up.
	catchUpPause = 20 * time.Millisecond
)

// catchUp waits until all changes from before the call have arrived.
func (s *Site) catchUp(ctx context.Context) error {
	for {
		err := s.Store.Feed.CatchUp(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(catchUpPause):
		}
	}
}
