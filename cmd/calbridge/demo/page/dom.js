// Elements, and the text of HTML. Texts go into the document as text only.

export const byID = (id) => document.getElementById(id);

// element makes an element. Attributes that are functions are event listeners; false, null and
// undefined are left out, of attributes and of children.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== false && value !== undefined && value !== null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const parsed = (html) => new DOMParser().parseFromString(html ?? "", "text/html").body;

// plain returns the text of HTML.
export const plain = (html) => parsed(html).textContent.trim();

// paragraphs returns the texts of the top-level elements of HTML.
export const paragraphs = (html) => [...parsed(html).children].map((e) => e.textContent.trim()).filter(Boolean);
