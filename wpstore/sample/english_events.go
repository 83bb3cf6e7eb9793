package sample

func englishEvents() map[string]words {
	return map[string]words{
		"market": {name: "Farmers’ market", text: "Vegetables, bread, cheese and honey from within thirty kilometres.\nBring your own bags; the coffee cart is there from seven."},
		"jazz": {name: "Jazz night", text: "Two sets with guests. The bar opens at seven.",
			excerpt: "Live jazz every other week."},
		"run":       {name: "Thursday run", text: "Six or ten kilometres along the river, at a pace for talking. We meet at the footbridge."},
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
