import type { Content, OpenApi, Operation, Parameter } from "../openapi.ts";
import { buildCurl } from "./example.ts";
import { type Listing, renderAbout, renderFieldList, renderType } from "./fields.ts";
import { Html, html, type Piece, renderProse, renderTable } from "./html.ts";
import { STYLE } from "./style.ts";

/** One operation and its anchor on the page. */
interface Entry {
	readonly id: string;
	readonly method: string;
	readonly path: string;
	readonly operation: Operation;
}
type Group = readonly [tag: string, entries: readonly Entry[]];

/** The content security policy allows only what the page needs: one inline style. */
const HEADERS = {
	"content-type": "text/html; charset=utf-8",
	"content-security-policy":
		"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	"x-content-type-options": "nosniff",
	"referrer-policy": "no-referrer",
};
const COLORED_METHODS = ["GET", "PUT", "POST", "PATCH", "DELETE"];

const pages = new WeakMap<OpenApi, string>();

/** Renders the document as a page without scripts, once per document. */
export function renderDocsPage(document: OpenApi): Response {
	const made = pages.get(document) ?? renderPage(document).text;
	pages.set(document, made);
	return new Response(made, { headers: HEADERS });
}

function renderPage(document: OpenApi): Html {
	const { title, version } = document.info;
	const entries = listEntries(document.paths);
	const groups = [...Map.groupBy(entries, ({ operation }) => operation.tags[0] ?? "Other")];
	return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} ${version}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<nav aria-label="Operations">${groups.map(renderNavigation)}</nav>
<main id="content" tabindex="-1">
<header>
<h1>${title}</h1>
<p class="meta">Version ${version} · ${entries.length} operations ·
<a href="/openapi.json">openapi.json</a></p>
<p>In the examples, <code>$URL</code> is the base URL of this service and <code>$TOKEN</code> a credential.</p>
</header>
${groups.map((group, index) => renderSection(group, index, document))}
</main>
</body>
</html>
`;
}

const listEntries = (paths: OpenApi["paths"]): Entry[] =>
	Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => {
			const id = operation.operationId.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-");
			return { id, method: method.toUpperCase(), path, operation };
		}),
	);

const renderNavigation = ([tag, entries]: Group, index: number): Html => html`<div>
<a class="tag" href="#tag-${index}">${tag}</a>
<ul>${entries.map(
	({ id, method, path, operation }) =>
		html`<li><a href="#${id}" title="${operation.summary}">${renderBadge(method)}
<span>${renderPath(path)}</span></a></li>`,
)}</ul>
</div>`;

const renderSection = ([tag, entries]: Group, index: number, document: OpenApi): Html =>
	html`<section aria-labelledby="tag-${index}">
<h2 id="tag-${index}">${tag}</h2>
${entries.map((entry) => renderArticle(entry, document))}
</section>`;

function renderArticle({ id, method, path, operation }: Entry, document: OpenApi): Html {
	const { parameters, requestBody } = operation;
	return html`<article id="${id}" aria-labelledby="${id}-name">
<h3 id="${id}-name"><a href="#${id}">${operation.summary}</a></h3>
<p class="call">${renderBadge(method)} <code>${renderPath(path)}</code>
<span class="access">${describeAccess(operation)}</span></p>
${operation.description?.split(/\n\s*\n/).map((text) => html`<p>${renderProse(text)}</p>`)}
${parameters.length > 0 && html`<h4>Parameters</h4>${renderParameterTable(parameters, document)}`}
${requestBody && html`<h4>Request body</h4>${renderBodies(requestBody.content, [], true, document)}`}
<h4>Responses</h4>
${Object.entries(operation.responses).map(([status, answer]) => renderResponse(status, answer, document))}
<h4>Example</h4>
<pre><code>${buildCurl(method, path, operation, document)}</code></pre>
</article>`;
}

const renderBadge = (method: string): Html =>
	html`<span class="method ${COLORED_METHODS.includes(method) && method.toLowerCase()}">${method}</span>`;

/** A path that may break after a slash. */
const renderPath = (path: string): Piece =>
	path.split(/(\{[^}]*\}|\/)/).map((part) => {
		if (part === "/") return html`/<wbr>`;
		return part.startsWith("{") ? html`<i>${part}</i>` : part;
	});

function describeAccess({ security }: Operation): string {
	if (security.length === 0) return "No credential required";
	const isFree = security.some((each) => Object.keys(each).length === 0);
	return isFree ? "Credential required if the service is configured to check it" : "Credential required";
}

function renderParameterTable(parameters: readonly Parameter[], document: OpenApi): Html {
	const listing = createListing(true, document);
	const rows = parameters.map(({ name, in: place, required, description, schema }) => [
		html`<code>${name}</code>`,
		place,
		renderType(schema, listing),
		required ? html`<b class="required">required</b>` : "optional",
		renderAbout(description === undefined ? schema : { ...schema, description }, listing),
	]);
	return renderTable(["Name", "In", "Type", "Required", "Description"], rows);
}

function renderResponse(
	status: string,
	{ description, content }: Operation["responses"][string],
	document: OpenApi,
) {
	const lead = html`<b class="status s${status.slice(0, 1)}">${status}</b> ${renderProse(description)} `;
	return content === undefined
		? html`<p class="bare">${lead}</p>`
		: renderBodies(content, lead, false, document);
}

const renderBodies = (content: Content, lead: Piece, isRequest: boolean, document: OpenApi): Html[] =>
	Object.entries(content).map(([type, { schema }]) => {
		const listing = createListing(isRequest, document);
		return html`<details><summary><span>${lead}${renderType(schema, listing)}</span>
<span class="meta">${type}</span></summary>
<div>${renderAbout(schema, listing)}${renderFieldList(schema, listing)}</div></details>`;
	});

const createListing = (isRequest: boolean, document: OpenApi): Listing => ({
	document,
	isRequest,
	met: new Map(),
});
