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

func englishEvents() map[string]words {
	return map[string]words{
		"market": {name: "Farmers’ market", text: "Vegetables, bread, cheese and honey from within thirty kilometres.\nBring your own bags; the coffee cart is there from seven."},
		"jazz": {name: "Jazz night", text: "Two sets with guests. The bar opens at seven.",
			excerpt: "Live jazz every other week."},
		"run":       {name: "Saturday run", text: "Six or ten kilometres along the river, at a pace for talking. We meet at the footbridge."},
		"newcomers": {name: "Newcomers’ brunch", text: "New in Lípa? Meet people who were new last year. Bring something to share, and questions about doctors, schools and bins."},

		"organ": {name: "Organ recital: Bach & Černohorský", text: "The organ of 1747 in its first season after the repair.\nIn the second half: improvisations on themes from the audience.",
			excerpt: "The restored organ, played by <em>Anna Hrubá</em>."},
		"brass":    {name: "Brass on the square", text: "The miners’ brass band plays marches, polkas and one surprise."},
		"choir":    {name: "Slavic voices – women’s choir", text: "Songs from Moravia, Lusatia and Carpathian Ruthenia."},
		"blues":    {name: "Blues from the barn", text: "Three bands, one drum kit."},
		"pianists": {name: "Young pianists: end-of-term concert", text: "Pupils of the school of music between seven and seventeen."},
		"rock":     {name: "Rock under the chestnuts", text: "Five bands between four trees. Rain or shine."},
		"festival": {name: "Summer festival “Lípa v květu”", text: "Four days, three stages, sixty artists.\nPrices are for one day, two days and all four. Children under twelve come in free.",
			excerpt: "Four days by the river."},
		"quartet": {name: "String quartet: Dvořák, Janáček, Krása", text: "Chamber music series, third evening."},
		"newyear": {name: "New Year’s concert", text: "The regional philharmonic with a programme from Vienna to Prague."},

		"inspector":  {name: "The Government Inspector", text: "Gogol’s comedy, moved to a spa town not far from here. With English surtitles."},
		"inspector2": {name: "The Government Inspector – second night"},
		"glass":      {name: "Glass & Light", text: "Six studios from the glass valleys show work made for the mill’s three floors.\nOpen daily except Mondays."},
		"opening":    {name: "Opening: Drawings by Markéta Šímová"},
		"drawings":   {name: "Drawings by Markéta Šímová"},
		"zittau":     {name: "Gallery night in Zittau", text: "One night, two towns: the bus leaves the market square at six."},
		"bookclub":   {name: "English book club", text: "This month: short stories of your own choice."},
		"swap":       {name: "Book swap"},

		"advent":       {name: "Advent market", text: "Forty stalls, a blacksmith, and carols at five each day."},
		"tree":         {name: "Lighting of the Christmas tree"},
		"flea":         {name: "Flea market under the arcades"},
		"potters":      {name: "Potters’ market"},
		"half":         {name: "Ploučnice half marathon", text: "21.1 km on closed roads; ten kilometres and a children’s mile as well.\nThe higher price is for those who register on the day."},
		"orienteering": {name: "Night orienteering"},
		"tabletennis":  {name: "Table tennis for everybody"},
		"swim":         {name: "Winter swim", text: "Two minutes in, two hours by the fire."},
		"skating":      {name: "Skating on the square"},

		"hearing":  {name: "Public hearing: the new footbridge", text: "Three designs, one river. The architects will be there."},
		"fire":     {name: "Open day at the fire station", text: "Climb the ladder, hold the hose, pet the dog."},
		"lantern":  {name: "Lantern walk"},
		"games":    {name: "Board games afternoon", text: "Two hundred games, and people who know the rules."},
		"carnival": {name: "Carnival for children"},
		"cleaning": {name: "Spring cleaning of the riverbank"},
		"nicholas": {name: "St Nicholas and his devils"},
		"firstaid": {name: "First-aid course"},

		"reception": {name: "Reception of the mayor", text: "For invited guests."},
		"slam":      {name: "Poetry slam (date to be confirmed)"},
	}
}
