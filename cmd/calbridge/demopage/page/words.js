// The page's own words. The calendar's come from the API.
export const words = {
  cs: {
    name: "Čeština", town: "Městečko Lípa", languages: "Jazyk", previous: "Předchozí", next: "Další", today: "Dnes", back: "Zpět na měsíc", month: "Kalendář", workbench: "Dotaz na API",
    method: "Metoda", address: "Adresa", send: "Odeslat", status: "Stav", time: "Doba", source: "Odkud", queries: "Dotazů do databáze", size: "Velikost", headers: "Hlavičky odpovědi", body: "Tělo odpovědi",
    memory: "z paměti", database: "z databáze", allDay: "celý den", map: "Ukázat na mapě", none: "Ten den se nic nekoná.", title: "Název", start: "Začátek", save: "Uložit", readOnly: "Upravovat lze jen na adrese 127.0.0.1 nebo localhost.",
    changed: "Změněno", loading: "Načítá se …", failed: "Dotaz selhal", as: "Stejný dotaz jinak", until: "do",
  },
  en: {
    name: "English", town: "The little town of Lípa", languages: "Language", previous: "Previous", next: "Next", today: "Today", back: "Back to the month", month: "Calendar", workbench: "Request to the API",
    method: "Method", address: "Address", send: "Send", status: "Status", time: "Time", source: "From", queries: "Database queries", size: "Size", headers: "Headers of the answer", body: "Body of the answer",
    memory: "memory", database: "database", allDay: "all day", map: "Show on a map", none: "Nothing happens on this day.", title: "Title", start: "Start", save: "Save", readOnly: "Events can be changed at 127.0.0.1 or localhost only.",
    changed: "Changed", loading: "Loading …", failed: "The request failed", as: "The same request elsewhere", until: "until",
  },
  de: {
    name: "Deutsch", town: "Das Städtchen Lípa", languages: "Sprache", previous: "Zurück", next: "Weiter", today: "Heute", back: "Zurück zum Monat", month: "Kalender", workbench: "Anfrage an die API",
    method: "Methode", address: "Adresse", send: "Senden", status: "Status", time: "Dauer", source: "Aus", queries: "Datenbankabfragen", size: "Größe", headers: "Kopfzeilen der Antwort", body: "Inhalt der Antwort",
    memory: "dem Speicher", database: "der Datenbank", allDay: "ganztägig", map: "Auf der Karte zeigen", none: "An diesem Tag findet nichts statt.", title: "Titel", start: "Beginn", save: "Speichern", readOnly: "Ändern geht nur unter 127.0.0.1 oder localhost.",
    changed: "Geändert", loading: "Wird geladen …", failed: "Die Anfrage ist gescheitert", as: "Dieselbe Anfrage anderswo", until: "bis",
  },
};
