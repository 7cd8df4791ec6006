import { Html, html, type Piece } from "@tripline/web/docs/html";
import { isLoopbackHost } from "../addresses.ts";
import { formatDuration, formatHost, formatText } from "./format.ts";
import { buildPage, type RenderedPage } from "./page.ts";

export interface ConsentModel {
	readonly clientName: string | null;
	/** The host of a verified Client ID Metadata Document; null: the name is only the client's own claim. */
	readonly clientHost: string | null;
	/** The client is this server's own console. */
	readonly isConsole: boolean;
	/** The host of the redirect URI. */
	readonly redirectHost: string;
	readonly namespace: string;
	/** Parameters of the authorization request, sent again with the form. */
	readonly hidden: Readonly<Record<string, string>>;
	/** The error of the form as last submitted. */
	readonly problem: string | null;
	/** The lifetime of the access token; may be a fraction. */
	readonly days: number;
}

/** Asks the owner to authorize a client, or to log in to the console. */
export function consentPage(model: ConsentModel): RenderedPage {
	const name = formatText(model.clientName ?? "") || "An application";
	const title = model.isConsole ? LOGIN : `${name} wants access to Tripline`;
	return buildPage(
		model.problem === null ? title : `Error: ${model.problem} ${title}`,
		model.isConsole
			? html`<h1>${LOGIN}</h1>
${renderFacts(model)}
${renderForm(model)}`
			: html`<h1><bdi>${name}</bdi> wants access to Tripline</h1>
${renderIdentity(model)}
${renderFacts(model)}
${ABILITIES}
${renderForm(model)}
<p class="soft out">Close this page to deny access.</p>`,
	);
}

const LOGIN = "Log in to Tripline";

const renderIcon = (path: string, tone: string): Html =>
	html`<svg class="icon ${tone}" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor"
stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${new Html(path)}</svg>`;
const CHECK = renderIcon(`<path d="m3 8.5 3.25 3.25L13 5"/>`, "good");
const CROSS = renderIcon(`<path d="m4 4 8 8m0-8-8 8"/>`, "");
const NOTE = renderIcon(`<circle cx="8" cy="8" r="6.5"/><path d="M8 7.5v3.25M8 5v.01"/>`, "");

const renderLine = (mark: Html, text: Piece): Html => html`${mark}<span>${text}</span>`;

/** With a loopback redirect, any program on the same machine can use any vendor's document. */
function renderIdentity({ clientHost, redirectHost }: ConsentModel): Html {
	const warning = "Allow access only if you are connecting it right now.";
	if (clientHost === null) return renderNote(NOTE, `The application chose this name itself. ${warning}`);
	const host = html`<bdi>${formatHost(clientHost)}</bdi>`;
	return isLoopback(redirectHost)
		? renderNote(
				NOTE,
				html`The application claims to belong to ${host}, as any program on your machine could. ${warning}`,
			)
		: renderNote(CHECK, html`Verified: this application belongs to ${host}.`);
}

const renderNote = (mark: Html, text: Piece): Html =>
	html`<p class="soft line">${renderLine(mark, text)}</p>`;

const isLoopback = (host: string): boolean => isLoopbackHost(host.replace(/:\d+$/, ""));

const renderFacts = ({ redirectHost, namespace, days }: ConsentModel): Html => html`<dl>
<div><dt>Redirects to</dt><dd><bdi>${formatHost(redirectHost)}</bdi>
${isLoopback(redirectHost) && html`<span class="soft">on your machine</span>`}</dd></div>
<div><dt>Namespace</dt><dd><bdi>${formatText(namespace)}</bdi></dd></div>
<div><dt>Access expires in</dt><dd>${formatDuration(days)}</dd></div>
</dl>`;

const ABILITIES = html`<h2 id="can">The application will be able to</h2>
<ul aria-labelledby="can">
<li class="line">${renderLine(CHECK, "Read, change and run workflows")}</li>
<li class="line">${renderLine(CHECK, "Read and write knowledge")}</li>
<li class="line">${renderLine(CHECK, "Store and replace credentials, install components")}</li>
<li class="line soft">${renderLine(CROSS, "It cannot read the values of credentials")}</li>
</ul>`;

/** The field without a name is not submitted: it tells password managers which account the secret belongs to. */
const renderForm = ({
	hidden,
	problem,
	namespace,
	isConsole,
}: ConsentModel): Html => html`<form method="post" action="/authorize">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="text" autocomplete="username" value="${namespace}" readonly hidden>
<label for="owner_secret">Owner secret</label>
<input id="owner_secret" name="owner_secret" type="password" autocomplete="current-password" required autofocus
${problem !== null && html`aria-invalid="true" aria-describedby="problem"`}>
${problem !== null && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<details>
<summary>Where do I find it?</summary>
<p>If Tripline runs on your own machine, it is in the file <code>data/keys/owner.secret</code>. On
Cloudflare it is the secret <code>MCP_OWNER_SECRET</code> of the MCP server.</p>
</details>
<button type="submit">${isConsole ? "Log in" : "Allow access"}</button>
</form>`;
