// /openapi.json goes in; every route with its fields, an example and what it may answer comes out.

import { el } from "./dom.js";
import { themeSwitch } from "./view.js";

const at = (id) => document.getElementById(id);
const BOUNDS = {
  minLength: "at least {} characters", maxLength: "at most {} characters", minItems: "at least {}", maxItems: "at most {}",
  maxProperties: "at most {}", minimum: "at least {}", maximum: "at most {}", exclusiveMinimum: "more than {}", pattern: "as {}",
};
const DEEPEST = 4;
let whole = {};

async function show() {
  const answer = await fetch("/openapi.json").catch(() => null);
  if (!answer?.ok) {
    at("message").hidden = false;
    at("message").textContent = "The server cannot be reached. Is it still running?";
    return;
  }
  whole = await answer.json();
  at("title").textContent = `${whole.info.title} ${whole.info.version}`;
  at("about").textContent = whole.info.description;
  for (const [tag, routes] of byTag()) {
    at("contents").append(el("h2", {}, tag), ...routes.map((one) => el("a", { href: `#${one.id}` }, `${one.method} ${one.path}`)));
    at("routes").append(el("h2", {}, tag), ...routes.map(route));
  }
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function byTag() {
  const tags = new Map();
  for (const [path, methods] of Object.entries(whole.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "others";
      const id = `${method}-${path}`.replace(/[^a-z0-9]+/gi, "-");
      tags.set(tag, [...(tags.get(tag) ?? []), { id, path, method: method.toUpperCase(), operation }]);
    }
  }
  return tags;
}

function route({ id, path, method, operation }) {
  const title = el("h3", {}, el("span", { class: "method" }, method), path);
  const parts = [title, ...prose(operation.description ?? operation.summary ?? ""), ...parameters(operation), ...bodies(operation)];
  return el("article", { class: "route", id }, [...parts, call(method, path, operation), ...answers(operation)].filter(Boolean));
}

/** Paragraphs, with what stands between back-ticks as code. */
function prose(text) {
  return text.split(/\n\n+/).filter(Boolean).map((paragraph) => el("p", {}, inline(paragraph)));
}

function inline(text) {
  return text.split(/`+([^`]+)`+/).map((piece, n) => (n % 2 ? el("code", {}, piece) : piece));
}

function parameters({ parameters: given = [] }) {
  if (!given.length) return [];
  const entries = given.flatMap((one) => field(one.name, { ...one.schema, description: one.description }, one.required, 0, one.in));
  return [el("h4", {}, "Parameters"), el("dl", { class: "fields" }, entries)];
}

function bodies({ requestBody: body }) {
  return Object.entries(body?.content ?? {}).flatMap(([type, { schema }]) => {
    const entries = fields(schema, 0);
    return [el("h4", {}, "Body, ", el("code", {}, type)), entries && el("dl", { class: "fields" }, entries)].filter(Boolean);
  });
}

function fields(schema, depth) {
  const { properties, required = [] } = resolved(schema);
  if (!properties || depth > DEEPEST) return null;
  return Object.entries(properties).flatMap(([name, inner]) => field(name, inner, required.includes(name), depth));
}

function field(name, schema, required, depth, where = "") {
  const facts = [kind(schema), required && "required", where, ...bounds(schema), standard(schema)].filter(Boolean);
  const inner = objects(schema).map((one) => fields(one, depth + 1)).filter(Boolean);
  const said = schema.description && el("p", {}, inline(schema.description));
  const nested = inner.map((entries) => el("dl", { class: "fields" }, entries));
  return [el("dt", {}, name), el("dd", {}, el("p", { class: "facts" }, facts.join(", ")), said, nested)];
}

/** The objects that a schema may hold: itself, an item, one of several. */
function objects(schema) {
  const found = resolved(schema);
  if (found.properties) return [found];
  return [...(found.anyOf ?? found.oneOf ?? found.allOf ?? []), ...(found.items ? [found.items] : [])].flatMap(objects);
}

function kind(schema) {
  const found = resolved(schema);
  if (found.enum) return found.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (found.const !== undefined) return JSON.stringify(found.const);
  const several = found.anyOf ?? found.oneOf;
  if (several) return [...new Set(several.map(kind))].join(" | ");
  if (found.type === "array") return `list of ${kind(found.items ?? {})}`;
  if (found.contentMediaType || found.format === "binary") return "file";
  return found.type ?? "anything";
}

function bounds(schema) {
  const own = [schema, ...(schema.anyOf ?? [])].filter((one) => one.type !== "null");
  return own.flatMap((one) =>
    Object.entries(BOUNDS).flatMap(([name, said]) => (one[name] === undefined ? [] : [said.replace("{}", grouped(one[name]))])),
  );
}

const grouped = (value) => (typeof value === "number" ? value.toLocaleString("en") : value);

function standard({ default: value }) {
  return value == null || (typeof value === "object" && !Object.keys(value).length) ? "" : `by default ${JSON.stringify(value)}`;
}

function resolved(schema) {
  if (!schema?.$ref) return schema ?? {};
  return schema.$ref.slice(2).split("/").reduce((found, part) => found[part], whole);
}

/** A line for a shell that asks this route. */
function call(method, path, { requestBody: body }) {
  const [type, content] = Object.entries(body?.content ?? {})[0] ?? [];
  const parts = [`curl -s ${location.origin}${path}`];
  if (method !== "GET" && !body) parts[0] = `curl -s -X ${method} ${location.origin}${path}`;
  if (type === "application/json") {
    const [example = {}] = resolved(content.schema).examples ?? [content.example];
    parts.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(example, null, 1).replace(/\n */g, " ").replaceAll("'", "'\\''")}'`);
  } else if (type === "multipart/form-data") parts.push("-F file=@refunds.md");
  else if (type) parts.push("-T answer.txt -X POST");
  return [el("h4", {}, "From a shell"), el("pre", { tabindex: "0" }, parts.join(" \\\n  "))];
}

function answers({ responses = {} }) {
  const good = Object.entries(responses).filter(([status]) => status < 300);
  const bad = Object.entries(responses).filter(([status]) => status >= 300);
  const shown = good.flatMap(([status, { description, content = {} }]) => {
    const example = Object.values(content)[0]?.example;
    const text = typeof example === "string" ? example : example && JSON.stringify(example, null, 2);
    return [el("h4", {}, `Answer ${status}`), el("p", {}, description), text && el("pre", { tabindex: "0" }, text)].filter(Boolean);
  });
  const list = bad.flatMap(([status, { description }]) => [el("dt", {}, status), el("dd", {}, description)]);
  const errors = el("details", {}, el("summary", {}, "What it may refuse"), el("dl", { class: "statuses" }, list));
  return [...shown, list.length ? errors : null];
}

at("tools").prepend(themeSwitch());
show();
