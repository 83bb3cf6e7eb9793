// A grid of days as in https://www.w3.org/WAI/ARIA/apg/patterns/grid/: one day is in the order
// of Tab, with its events; the arrow keys, Home, End, PageUp and PageDown move to others.
import { monday, plusDays } from "./dates.js";

const WEEK = 7;

// activate makes a day and its events the ones that Tab reaches.
export function activate(grid, day) {
  for (const button of grid.querySelectorAll("button")) {
    button.tabIndex = button.closest("[data-day]").dataset.day === day ? 0 : -1;
  }
}

// dayButton returns the button of a day.
export const dayButton = (grid, day) => grid.querySelector(`[data-day="${day}"] button.date`);

// onKey returns a listener for a grid. now returns the active day, page the day that is so many
// pages away from another. move is called with the day to go to.
export function onKey(now, page, move) {
  return (e) => {
    if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey) return;
    const day = now();
    const to = {
      ArrowLeft: () => plusDays(day, -1), ArrowRight: () => plusDays(day, 1),
      ArrowUp: () => plusDays(day, -WEEK), ArrowDown: () => plusDays(day, WEEK),
      Home: () => monday(day), End: () => plusDays(monday(day), WEEK - 1),
      PageUp: () => page(day, -1), PageDown: () => page(day, 1),
    }[e.key];
    if (!to) return;
    e.preventDefault();
    move(to());
  };
}
