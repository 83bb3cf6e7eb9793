package rest
import "testing"
func TestSmoke(t *testing.T){
 s:=newTestSite(t)
 for _, p := range []string{"","doc","events","events/101","venues","organizers/301","categories","tags","events/by-slug/dance","categories/34","events/114"} {
  a:=s.get(p); t.Log(p,a.status,len(a.body), s.seen.Queries); if a.status!=200 {t.Log(a.body)}
  if p=="events" {t.Log(a.ids("events"))}
  if p=="events/101" {t.Log(a.body)}
 }
 a:=s.do(ask{target:"events",as:"edita"}); t.Log(a.ids("events"), a.header)
}
