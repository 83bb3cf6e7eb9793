package docker_test

// exported maps targets of pages to the server that should receive them. iCalendar
// exports go to calbridge, with permalinks of any form.
var exported = []struct{ target, server string }{
	// exports by an argument, whatever its value
	{"/events/?ical=1", ours}, {"/events/?ical=0", ours}, {"/events/?ical", ours}, {"/events/?ical=", ours}, {"/events/?ical[]=1", ours}, {"/events/?ical%5B%5D=1", ours},
	{"/events/?outlook-ical=1", ours}, {"/events/?page=2&ical=1&x=%2F", ours}, {"/events/?tribe-bar-date=2026-12-01&ical=1", ours},
	{"/events/?ICAL=1", theirs}, {"/events/?xical=1", theirs}, {"/events/?icals=1", theirs}, {"/events/?x=ical", theirs}, {"/events/?event_ids=1,2", theirs},
	{"/events/", theirs}, {"/events", theirs}, {"/", theirs}, {"/event/summer-fair/", theirs}, {"/en/", theirs},
	// pages of the calendar, and the front page
	{"/?ical=1", ours}, {"/?post_type=tribe_events&ical=1&eventDisplay=list", ours}, {"/?tribe_events=summer-fair&ical=1", ours}, {"/?event_ids=1,2&ical=1", ours},
	{"/events?ical=1", ours}, {"/events//list/?ical=1", ours}, {"/events/month/2026-12/?ical=1", ours}, {"/events/category/music/jazz/?ical=1", ours},
	{"/events/tag/caf%C3%A9/?ical=1", ours}, {"/event/summer-fair/?ical=1", ours}, {"/event/summer-fair?ical=1", ours}, {"/tag/outdoors/?ical=1", ours},
	{"/venue/old-mill/?ical=1", ours}, {"/organizer/friends/?outlook-ical=1", ours}, {"/events/nothing/?ical=1", ours},
	// exports behind index.php, and in languages
	{"/index.php?ical=1", ours}, {"/index.php/?ical=1", ours}, {"/index.php/events/?ical=1", ours}, {"/index.php/event/summer-fair/?ical=1", ours},
	{"/en/?ical=1", ours}, {"/en?ical=1", ours}, {"/de/events/?ical=1", ours}, {"/en/event/summer-fair/?ical=1", ours}, {"/en/index.php/events/?ical=1", ours},
	{"/cs/events/?ical=1", theirs}, {"/EN/events/?ical=1", theirs}, {"/index.phpevents/?ical=1", theirs},
	// exports by the end of the path
	{"/events/ical/", ours}, {"/events/ical", ours}, {"/events/featured/ical/", ours}, {"/events/2026-12-05/ical/", ours}, {"/events/category/music/jazz/ical/", ours},
	{"/events/tag/outdoors/ical/", ours}, {"/events/tag/outdoors/featured/ical/", ours}, {"/event/summer-fair/ical/", ours}, {"/en/events/ical/", ours},
	{"/index.php/events/ical/?x=1", ours}, {"/events/list/ical/", theirs}, {"/events/2026-12/ical/", theirs}, {"/venue/old-mill/ical/", theirs}, {"/ical/", theirs},
	{"/events/icals/", theirs},
	// WordPress's own pages
	{"/about-us/?ical=1", theirs}, {"/eventsx/?ical=1", theirs}, {"/tag?ical=1", theirs}, {"/events/feed/?ical=1", theirs}, {"/event/summer-fair/feed/atom/?ical=1", theirs},
	{"/event/summer-fair/embed/?ical=1", theirs}, {"/feed/?ical=1", theirs}, {"/?p=7&ical=1", theirs}, {"/?page_id=7&ical=1", theirs}, {"/?ical=1&cat=3", theirs},
	{"/?p=&ical=1", ours}, {"/robots.txt?ical=1", theirs}, {"/wp-login.php?ical=1", theirs}, {"/wp-admin/?ical=1", theirs}, {"/wp-json/wp/v2/posts?ical=1", theirs},
	{"/?rest_route=/wp/v2/posts&ical=1", theirs},
}
