// Changes that others make: the page asks again for what it shows. The browser revalidates what
// it has, so an unchanged list costs a 304.

const INTERVAL = 2000;

// watch calls renew at intervals, unless the page is hidden or somebody is writing.
export function watch(renew) {
  setInterval(() => {
    if (document.visibilityState === "visible" && !document.activeElement?.closest("form.edit")) renew();
  }, INTERVAL);
}
