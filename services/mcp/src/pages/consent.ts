import { Html, html, type Piece } from "@tripline/web/docs/html";
import { isLoopbackHost } from "../addresses.ts";
import { type PageAnswer, pageOf } from "./page.ts";
import { shownHost, shownText, shownTime } from "./shown.ts";

export interface ConsentModel {
	readonly clientName: string | null;
	/** Of a Client ID Metadata Document that was checked; null: the name is only what the client says of itself. */
	readonly clientHost: string | null;
	/** Where the browser is sent with the code. */
	readonly redirectHost: string;
	readonly namespace: string;
	/** Fields of the request that come back with the form. */
	readonly hidden: Readonly<Record<string, string>>;
	/** What was wrong with the form that was sent. */
	readonly problem: string | null;
	/** How long the access lasts; a part of a day counts. */
	readonly days: number;
}

/** Asks the owner to let a client in. */
export function consentPage(model: ConsentModel): PageAnswer {
	const name = shownText(model.clientName ?? "") || "An application";
	const title = `${name} wants access to Tripline`;
	return pageOf(
		model.problem === null ? title : `Error: ${model.problem} ${title}`,
		html`<h1><bdi>${name}</bdi> wants access to Tripline</h1>
${identity(model)}
${facts(model)}
${ABILITIES}
${form(model)}
<p class="soft out">Close this page to refuse.</p>`,
	);
}

const icon = (path: string, tone: string): Html =>
	html`<svg class="icon ${tone}" viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor"
stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${new Html(path)}</svg>`;
const CHECK = icon(`<path d="m3 8.5 3.25 3.25L13 5"/>`, "good");
const CROSS = icon(`<path d="m4 4 8 8m0-8-8 8"/>`, "");
const NOTE = icon(`<circle cx="8" cy="8" r="6.5"/><path d="M8 7.5v3.25M8 5v.01"/>`, "");

const line = (mark: Html, text: Piece): Html => html`${mark}<span>${text}</span>`;

/** A program on the same machine can use anybody's document, because its redirect is a loopback address. */
function identity({ clientHost, redirectHost }: ConsentModel): Html {
	const warning = "Allow access only if you are connecting it right now.";
	if (clientHost === null) return note(NOTE, `The application chose this name itself. ${warning}`);
	const host = html`<bdi>${shownHost(clientHost)}</bdi>`;
	return isLoopback(redirectHost)
		? note(NOTE, html`It says that it belongs to ${host}, as any program on your machine could. ${warning}`)
		: note(CHECK, html`Checked: this application belongs to ${host}.`);
}

const note = (mark: Html, text: Piece): Html => html`<p class="soft line">${line(mark, text)}</p>`;

const isLoopback = (host: string): boolean => isLoopbackHost(host.replace(/:\d+$/, ""));

const facts = ({ redirectHost, namespace, days }: ConsentModel): Html => html`<dl>
<div><dt>Sends you back to</dt><dd><bdi>${shownHost(redirectHost)}</bdi>
${isLoopback(redirectHost) && html`<span class="soft">on your machine</span>`}</dd></div>
<div><dt>Namespace</dt><dd><bdi>${shownText(namespace)}</bdi></dd></div>
<div><dt>Access lasts</dt><dd>${shownTime(days)}</dd></div>
</dl>`;

const ABILITIES = html`<h2 id="can">What it will be able to do</h2>
<ul aria-labelledby="can">
<li class="line">${line(CHECK, "Read, change and run workflows")}</li>
<li class="line">${line(CHECK, "Read and write knowledge")}</li>
<li class="line">${line(CHECK, "Store and replace credentials, install components")}</li>
<li class="line soft">${line(CROSS, "It cannot read the secrets in credentials")}</li>
</ul>`;

/** The field without a name is not sent: by it a password manager knows whose secret this is. */
const form = ({
	hidden,
	problem,
	namespace,
}: ConsentModel): Html => html`<form method="post" action="/authorize">
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="text" autocomplete="username" value="${namespace}" readonly hidden>
<label for="owner_secret">Owner secret</label>
<input id="owner_secret" name="owner_secret" type="password" autocomplete="current-password" required autofocus
${problem !== null && html`aria-invalid="true" aria-describedby="problem"`}>
${problem !== null && html`<p class="problem" id="problem" role="alert">${problem}</p>`}
<details>
<summary>Where do I find it?</summary>
<p>Where Tripline runs on your own machine, it is in the file <code>data/keys/owner.secret</code>. On
Cloudflare it is the secret <code>MCP_OWNER_SECRET</code> that you set for the MCP server.</p>
</details>
<button type="submit">Allow access</button>
</form>`;
