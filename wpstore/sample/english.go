package sample

func english() language {
	return language{
		code: "en", locale: "en_US", name: "English", own: "English",
		others:    map[string]string{"cs": "Czech", "de": "German"},
		countries: map[string]string{"cz": "Czech Republic", "de": "Germany"},
		events:    englishEvents(),
		venues: map[string]words{
			"culture":  {name: "Lípa House of Culture", text: "Concert hall with 320 seats, café and cloakroom. Step-free entrance from the yard."},
			"library":  {name: "Town Library", text: "Reading room, children’s corner and a garden for summer readings."},
			"church":   {name: "Church of St Nicholas", text: "Gothic church with a baroque organ of 1747."},
			"square":   {name: "Market Square"},
			"gallery":  {name: "Mill Gallery", text: "Contemporary art in an old water mill."},
			"theatre":  {name: "Little Theatre", text: "A stage for 90 people, home of the town’s amateur actors since 1923."},
			"park":     {name: "Riverside Park", text: "Lawns, playground and the open-air stage on the Ploučnice."},
			"hall":     {name: "Sports Hall"},
			"townhall": {name: "Town Hall", text: "Council chamber on the first floor; lift in the passage."},
		},
		organizers: map[string]words{
			"town":    {name: "Town of Lípa", text: "Department of culture and sport."},
			"library": {name: "Friends of the Library"},
			"jazz":    {name: "Jazz Club Lípa", text: "Every other week since 1998."},
			"actors":  {name: "Tyl Amateur Theatre", text: "Amateur actors; new faces are welcome."},
			"run":     {name: "Ploučnice Runners", text: "Running for everybody, twice a week."},
			"gallery": {name: "Mill Gallery"},
			"farmers": {name: "Farmers of the Lípa Region", text: "Twenty farms within thirty kilometres."},
		},
		categories: map[string]words{
			"culture":   {name: "Culture", text: "Everything on a stage, a wall or a shelf"},
			"music":     {name: "Music"},
			"jazz":      {name: "Jazz & blues"},
			"classical": {name: "Classical"},
			"theatre":   {name: "Theatre"},
			"art":       {name: "Exhibitions"},
			"books":     {name: "Books", text: "Readings and discussions"},
			"markets":   {name: "Markets"},
			"sport":     {name: "Sport"},
			"running":   {name: "Running"},
			"children":  {name: "Children", text: "For families with children up to twelve"},
			"town":      {name: "Town hall", text: "Council meetings and public hearings"},
			"courses":   {name: "Courses", text: "Nothing planned at the moment"},
		},
		tags: map[string]words{
			"free": {name: "Free entry"}, "outdoors": {name: "Outdoors"}, "family": {name: "Family-friendly"}, "advent": {name: "Advent"},
			"accessible": {name: "Step-free"}, "english": {name: "In English"}, "german": {name: "In German"}, "premiere": {name: "Première"},
			"workshop": {name: "Workshop"}, "evening": {name: "Evening"}, "tickets": {name: "Tickets needed"},
		},
	}
}
