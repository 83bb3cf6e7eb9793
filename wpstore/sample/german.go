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
