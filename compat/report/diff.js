"use strict";
// JSON that keeps the spelling of its values, and two such documents side by side.
function parseJSON(text) {
  let at = 0;
  const fail = () => { throw new Error("no JSON"); };
  const space = () => { while (at < text.length && " \t\r\n".includes(text[at])) at++; };
  const quoted = () => {
    const start = at++;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    if (at >= text.length) fail();
    return text.slice(start, ++at);
  };
  const value = (depth) => {
    if (depth > 600) fail();
    space();
    const c = text[at];
    if (c === '"') return { raw: quoted() };
    if (c === "{" || c === "[") {
      const node = { open: c, close: c === "{" ? "}" : "]", keys: c === "{" ? [] : null, items: [] };
      at++; space();
      if (text[at] === node.close) { at++; return node; }
      for (;;) {
        space();
        if (node.keys) {
          if (text[at] !== '"') fail();
          node.keys.push(quoted()); space();
          if (text[at++] !== ":") fail();
        }
        node.items.push(value(depth + 1)); space();
        const d = text[at++];
        if (d === node.close) return node;
        if (d !== ",") fail();
      }
    }
    const start = at;
    while (at < text.length && !" \t\r\n,]}".includes(text[at])) at++;
    if (start === at) fail();
    return { raw: text.slice(start, at) };
  };
  const root = value(0);
  space();
  if (at < text.length) fail();
  return root;
}

function rawText(node) {
  if (node.rawCache === undefined) {
    node.rawCache = node.open ? node.open + node.items.map((item, i) => (node.keys ? node.keys[i] + ":" : "") + rawText(item)).join(",") + node.close : node.raw;
  }
  return node.rawCache;
}

// printed gives the lines of a value, indented.
function printed(node, depth, prefix, suffix, out) {
  const pad = "  ".repeat(depth);
  if (!node.open || node.items.length === 0) { out.push(pad + prefix + (node.open ? node.open + node.close : node.raw) + suffix); return out; }
  out.push(pad + prefix + node.open);
  node.items.forEach((item, i) => printed(item, depth + 1, node.keys ? node.keys[i] + ": " : "", i < node.items.length - 1 ? "," : "", out));
  out.push(pad + node.close + suffix);
  return out;
}

// pairKeys puts the members of two objects beside each other.
function pairKeys(a, b) {
  const pairs = [], taken = new Set(), place = new Map();
  b.keys.forEach((key, k) => { if (!place.has(key)) place.set(key, k); });
  let next = 0;
  const only = (upTo) => { for (; next < upTo; next++) if (!taken.has(next) && !a.keys.includes(b.keys[next])) { pairs.push([-1, next]); taken.add(next); } };
  a.keys.forEach((key, i) => {
    const k = place.get(key);
    if (k === undefined || taken.has(k)) { pairs.push([i, -1]); return; }
    only(k); taken.add(k); next = Math.max(next, k + 1);
    pairs.push([i, k]);
  });
  next = 0; only(b.keys.length);
  return pairs;
}

// diffRows lists rows {l, r, kind}: kind "same" (l holds the lines of a run of
// equal values), "change", "del", "add" or "note".
function diffRows(a, b, depth, prefixA, prefixB, out) {
  const pad = "  ".repeat(depth);
  const push = (kind, l, r) => out.push({ kind, l, r });
  if (rawText(a) === rawText(b) && prefixA === prefixB) { printed(a, depth, prefixA, "", []).forEach((line) => push("same", line, line)); return out; }
  if (!a.open || a.open !== b.open) {
    const left = printed(a, depth, prefixA, "", []), right = printed(b, depth, prefixB, "", []);
    for (let i = 0; i < Math.max(left.length, right.length); i++) push("change", left[i], right[i]);
    return out;
  }
  push("same", pad + prefixA + a.open, pad + prefixB + b.open);
  const name = (node, i) => (node.keys ? node.keys[i] + ": " : "");
  let pairs;
  if (a.keys) {
    pairs = pairKeys(a, b);
    const common = pairs.filter((p) => p[0] >= 0 && p[1] >= 0).map((p) => p[1]);
    if (common.some((k, i) => i > 0 && k < common[i - 1])) push("change", pad + "  order: " + a.keys.join(" "), pad + "  order: " + b.keys.join(" "));
  } else {
    pairs = [];
    for (let i = 0; i < Math.max(a.items.length, b.items.length); i++) pairs.push([i < a.items.length ? i : -1, i < b.items.length ? i : -1]);
  }
  for (const [i, k] of pairs) {
    if (k < 0) printed(a.items[i], depth + 1, name(a, i), "", []).forEach((line) => push("del", line, undefined));
    else if (i < 0) printed(b.items[k], depth + 1, name(b, k), "", []).forEach((line) => push("add", undefined, line));
    else diffRows(a.items[i], b.items[k], depth + 1, name(a, i), name(b, k), out);
  }
  push("same", pad + a.close, pad + b.close);
  return out;
}

// bodyRows compares two bodies; without JSON line by line.
function bodyRows(recorded, got) {
  try { return diffRows(parseJSON(recorded), parseJSON(got), 0, "", "", []); } catch (e) { /* text */ }
  const a = recorded.split("\n"), b = got.split("\n"), out = [];
  for (let i = 0; i < Math.max(a.length, b.length) && i < 5000; i++) out.push({ kind: a[i] === b[i] ? "same" : "change", l: a[i], r: b[i] });
  return out;
}

// spot splits two texts into what they share at both ends and what differs.
function spot(a, b) {
  let start = 0, end = 0;
  const most = Math.min(a.length, b.length);
  while (start < most && a[start] === b[start]) start++;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [start, end];
}
