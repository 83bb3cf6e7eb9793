package sample

func german() language {
	return language{
		code: "de", locale: "de_DE", name: "German", own: "Deutsch",
		others:    map[string]string{"cs": "Tschechisch", "en": "Englisch"},
		countries: map[string]string{"cz": "Tschechien", "de": "Deutschland"},
		events:    germanEvents(),
		venues: map[string]words{
			"culture":  {name: "Kulturhaus Lípa", text: "Konzertsaal mit 320 Plätzen, Café und Garderobe. Stufenloser Eingang vom Hof."},
			"library":  {name: "Stadtbibliothek", text: "Lesesaal, Kinderecke und ein Garten für Lesungen im Sommer."},
			"church":   {name: "Nikolaikirche", text: "Gotische Kirche mit einer Barockorgel von 1747."},
			"square":   {name: "Marktplatz"},
			"gallery":  {name: "Galerie an der Mühle", text: "Kunst der Gegenwart in einer alten Wassermühle."},
			"theatre":  {name: "Kleines Theater", text: "Eine Bühne für neunzig Gäste, seit 1923 Heimat der Laienspieler."},
			"park":     {name: "Uferpark", text: "Wiesen, Spielplatz und die Freilichtbühne am Polzen."},
			"townhall": {name: "Rathaus", text: "Sitzungssaal im ersten Stock; Aufzug in der Durchfahrt."},
			"zittau":   {name: "Kulturcafé Zittau", text: "Unser Partner auf der anderen Seite der Grenze."},
		},
		organizers: map[string]words{
			"town":    {name: "Stadt Lípa", text: "Amt für Kultur und Sport."},
			"library": {name: "Freunde der Bibliothek"},
			"jazz":    {name: "Jazzclub Lípa", text: "Seit 1998 alle zwei Wochen."},
			"actors":  {name: "Laientheater Tyl", text: "Wir spielen aus Freude; neue Gesichter sind willkommen."},
			"run":     {name: "Polzenläufer", text: "Laufen für alle, zweimal in der Woche."},
			"farmers": {name: "Bauern aus Lípa und Umgebung", text: "Zwanzig Höfe im Umkreis von dreißig Kilometern."},
		},
		categories: map[string]words{
			"culture":   {name: "Kultur", text: "Alles auf der Bühne, an der Wand und im Regal"},
			"music":     {name: "Musik"},
			"jazz":      {name: "Jazz & Blues"},
			"classical": {name: "Klassik"},
			"theatre":   {name: "Theater"},
			"art":       {name: "Ausstellungen"},
			"books":     {name: "Bücher", text: "Lesungen und Gespräche"},
			"markets":   {name: "Märkte"},
			"sport":     {name: "Sport"},
			"running":   {name: "Laufen"},
			"children":  {name: "Kinder", text: "Für Familien mit Kindern bis zwölf"},
			"town":      {name: "Rathaus", text: "Sitzungen des Stadtrats und Anhörungen"},
		},
		tags: map[string]words{
			"free": {name: "Eintritt frei"}, "outdoors": {name: "Draußen"}, "family": {name: "Für Familien"}, "advent": {name: "Advent"},
			"accessible": {name: "Stufenlos"}, "english": {name: "Auf Englisch"}, "german": {name: "Auf Deutsch"}, "premiere": {name: "Premiere"},
			"regional": {name: "Aus der Region"}, "evening": {name: "Abends"}, "tickets": {name: "Nur mit Karte"},
		},
	}
}

func germanEvents() map[string]words {
	return map[string]words{
		"market": {name: "Bauernmarkt", text: "Gemüse, Brot, Käse und Honig aus dem Umkreis von dreißig Kilometern.\nBringen Sie eigene Taschen mit; Kaffee gibt es ab sieben."},
		"jazz": {name: "Jazznacht", text: "Zwei Sets mit Gästen. Die Bar öffnet um sieben.",
			excerpt: "Alle zwei Wochen Jazz auf der Bühne."},
		"stammtisch": {name: "Deutsch-tschechischer Stammtisch", text: "Plaudern über die Grenze hinweg. Wer mag, bringt ein Wort mit, das es in der anderen Sprache nicht gibt."},

		"organ": {name: "Orgelkonzert: Bach und Černohorský", text: "Die Orgel von 1747 in ihrer ersten Saison nach der Restaurierung.\nNach der Pause: Improvisationen über Themen aus dem Publikum.",
			excerpt: "Es spielt <em>Anna Hrubá</em> auf der restaurierten Orgel."},
		"brass":    {name: "Blasmusik auf dem Marktplatz", text: "Die Bergmannskapelle spielt Märsche, Polkas und eine Überraschung."},
		"choir":    {name: "Slawische Stimmen – Frauenchor", text: "Lieder aus Mähren, der Lausitz und der Karpatenukraine."},
		"blues":    {name: "Blues aus der Scheune", text: "Drei Bands, ein Schlagzeug."},
		"pianists": {name: "Junge Pianisten: Konzert zum Halbjahr", text: "Es spielen Schülerinnen und Schüler der Musikschule zwischen sieben und siebzehn."},
		"festival": {name: "Sommerfest „Lípa v květu“", text: "Vier Tage, drei Bühnen, sechzig Künstler.\nDie Preise gelten für einen, zwei und alle vier Tage. Kinder unter zwölf haben freien Eintritt.",
			excerpt: "Vier Tage am Fluss."},
		"newyear": {name: "Neujahrskonzert", text: "Die Philharmonie der Region mit einem Programm von Wien bis Prag."},

		"puppets":     {name: "Puppentheater: Die Teekanne des Wassermanns", text: "Ein Märchen mit Marionetten von 1910. Ab vier Jahren; fast ohne Worte."},
		"glass":       {name: "Glas & Licht", text: "Sechs Werkstätten aus den Tälern der Glasmacher zeigen Arbeiten für die drei Stockwerke der Mühle.\nTäglich außer montags geöffnet."},
		"photographs": {name: "Fotografien einer verschwundenen Straße", text: "Die Lange Gasse vor 1974, gesammelt von ihren letzten Bewohnern."},
		"opening":     {name: "Vernissage: Zeichnungen von Markéta Šímová"},
		"drawings":    {name: "Zeichnungen von Markéta Šímová"},
		"zittau":      {name: "Galerienacht in Zittau", text: "Eine Nacht, zwei Städte: Der Bus fährt um 18 Uhr vom Marktplatz ab."},

		"advent":  {name: "Weihnachtsmarkt", text: "Vierzig Stände, ein Schmied und jeden Tag um fünf Weihnachtslieder."},
		"tree":    {name: "Der Christbaum leuchtet"},
		"flea":    {name: "Flohmarkt unter den Lauben"},
		"potters": {name: "Töpfermarkt"},
		"half":    {name: "Halbmarathon am Polzen", text: "21,1 km auf gesperrten Straßen, dazu zehn Kilometer und eine Meile für Kinder.\nDer höhere Preis gilt bei Anmeldung am selben Tag."},
		"swim":    {name: "Winterschwimmen", text: "Zwei Minuten im Wasser, zwei Stunden am Feuer."},
		"skating": {name: "Eislaufen auf dem Marktplatz"},

		"volleyball": {name: "Volleyball: Lípa – Děčín"},
		"hearing":    {name: "Bürgeranhörung: die neue Fußgängerbrücke", text: "Drei Entwürfe, ein Fluss. Die Architekten sind dabei."},
		"fire":       {name: "Tag der offenen Tür bei der Feuerwehr", text: "Auf die Leiter steigen, den Schlauch halten, den Hund streicheln."},
		"lantern":    {name: "Laternenumzug"},
		"games":      {name: "Brettspielnachmittag", text: "Zweihundert Spiele und Leute, die die Regeln kennen."},
		"nicholas":   {name: "Der Nikolaus und seine Teufel"},

		"reception": {name: "Empfang des Bürgermeisters", text: "Für geladene Gäste."},
	}
}
