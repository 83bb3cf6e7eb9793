package sample

func czech() language {
	return language{
		code: "cs", locale: "cs_CZ", name: "Czech", own: "Čeština",
		others:    map[string]string{"en": "Angličtina", "de": "Němčina"},
		countries: map[string]string{"cz": "Česko", "de": "Německo"},
		events:    czechEvents(),
		venues: map[string]words{
			"culture":  {name: "Kulturní dům Lípa", text: "Koncertní sál pro 320 lidí, kavárna a šatna. Bezbariérový vchod ze dvora."},
			"library":  {name: "Městská knihovna", text: "Studovna, dětský koutek a zahrada pro letní čtení."},
			"church":   {name: "Kostel svatého Mikuláše", text: "Gotický kostel s barokními varhanami z roku 1747."},
			"square":   {name: "Náměstí Míru"},
			"gallery":  {name: "Galerie U Mlýna", text: "Současné umění ve starém vodním mlýně."},
			"theatre":  {name: "Malé divadlo", text: "Jeviště pro devadesát diváků, od roku 1923 domov ochotníků."},
			"park":     {name: "Park u řeky", text: "Trávníky, hřiště a letní scéna nad Ploučnicí."},
			"hall":     {name: "Sportovní hala"},
			"townhall": {name: "Radnice", text: "Zasedací síň v prvním patře; výtah je v průjezdu."},
			"zittau":   {name: "Kulturní kavárna Žitava", text: "Náš partner za hranicí."},
		},
		organizers: map[string]words{
			"town":    {name: "Město Lípa", text: "Odbor kultury a sportu."},
			"library": {name: "Přátelé knihovny"},
			"jazz":    {name: "Jazzklub Lípa", text: "Každých čtrnáct dní už od roku 1998."},
			"actors":  {name: "Ochotnický spolek Tyl", text: "Hrajeme pro radost; noví herci jsou vítáni."},
			"run":     {name: "Běžci od Ploučnice", text: "Běh pro každého, dvakrát týdně."},
			"gallery": {name: "Galerie U Mlýna"},
			"farmers": {name: "Farmáři z Lípy a okolí", text: "Dvacet statků do třiceti kilometrů."},
			"scouts":  {name: "Skautský oddíl Bílý Kámen"},
		},
		categories: map[string]words{
			"culture":   {name: "Kultura", text: "Všechno na jevišti, na zdi i v knize"},
			"music":     {name: "Hudba"},
			"jazz":      {name: "Jazz a blues"},
			"classical": {name: "Vážná hudba"},
			"theatre":   {name: "Divadlo"},
			"art":       {name: "Výstavy"},
			"books":     {name: "Knihy", text: "Čtení a besedy"},
			"markets":   {name: "Trhy"},
			"sport":     {name: "Sport"},
			"running":   {name: "Běh"},
			"children":  {name: "Děti", text: "Pro rodiny s dětmi do dvanácti let"},
			"town":      {name: "Radnice", text: "Zasedání zastupitelstva a veřejná projednání"},
			"courses":   {name: "Kurzy", text: "Zatím nic nechystáme"},
		},
		tags: map[string]words{
			"free": {name: "Vstup zdarma"}, "outdoors": {name: "Venku"}, "family": {name: "Pro rodiny"}, "advent": {name: "Advent"},
			"accessible": {name: "Bez bariér"}, "english": {name: "V angličtině"}, "german": {name: "V němčině"}, "premiere": {name: "Premiéra"},
			"workshop": {name: "Dílna"}, "regional": {name: "Z regionu"}, "evening": {name: "Večer"}, "tickets": {name: "Nutná vstupenka"},
		},
	}
}
