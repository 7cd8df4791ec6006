import type { OutsideAnswer } from "../conformance/outside.ts";
import { CALLBACK } from "./mcp-login.ts";

/** Ids that look like the URL of a client's document and must not be fetched. */
export const NEVER_FETCHED = [
	"https://evil.example/client",
	"https://claude.ai.evil.example/client",
	"https://evilclaude.ai/client",
	"http://claude.ai/client",
	"HTTPS://claude.ai/client",
	"https://CLAUDE.ai/client",
	"https://claude.ai:8443/client",
	"https://claude.ai",
	"https://claude.ai/",
	"https://claude.ai/a/../client",
	"https://claude.ai/client#fragment",
	"https://claude.ai\\@10.0.0.1/client",
	"https://claude.ai@10.0.0.1/client",
	"https://owner@claude.ai/client",
	"https://claude.ai./client",
	"https://10.0.0.1/client",
	"https://127.0.0.1/client",
	"https://localhost/client",
	"https://[::1]/client",
	"https://[::ffff:10.0.0.1]/client",
	"https://2130706433/client",
	"https://0x7f000001/client",
	"https://169.254.169.254/latest/meta-data/",
	"file:///etc/passwd",
	"gopher://claude.ai/client",
	"//claude.ai/client",
];

/** Private addresses on the list of allowed hosts; the dialer must refuse them anyway. */
export const PRIVATE_HOSTS = [
	"localhost",
	"127.0.0.1",
	"127.0.0.2",
	"0.0.0.0",
	"10.0.0.1",
	"172.16.0.1",
	"192.168.0.1",
	"169.254.169.254",
	"100.64.0.1",
	"192.0.2.1",
	"224.0.0.1",
];

const json = (document: unknown, more: OutsideAnswer = {}): OutsideAnswer => ({ json: document, ...more });

/** Bad answers of a listed host instead of its client's document, by document URL. */
export const BAD_DOCUMENTS: Readonly<Record<string, (id: string) => OutsideAnswer>> = {
	"a redirect to a private address": () => ({
		status: 302,
		headers: { location: "http://169.254.169.254/latest/meta-data/" },
	}),
	"a redirect with a document": (id) => ({
		...json({ client_id: id, redirect_uris: [CALLBACK] }),
		status: 307,
		headers: { location: "https://evil.example/client" },
	}),
	"not found": () => ({ status: 404, body: "no" }),
	"an error": () => ({ status: 500, body: "no" }),
	nothing: () => ({ headers: { "content-type": "application/json" } }),
	"a page": (id) => ({
		headers: { "content-type": "text/html" },
		body: JSON.stringify({ client_id: id, redirect_uris: [CALLBACK] }),
	}),
	"no JSON": () => ({ headers: { "content-type": "application/json" }, body: "{" }),
	"bytes that are no text": () => ({
		headers: { "content-type": "application/json" },
		body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]),
	}),
	"a list": (id) => json([{ client_id: id, redirect_uris: [CALLBACK] }]),
	null: () => json(null),
	"more than 64 kB": (id) => json({ client_id: id, redirect_uris: [CALLBACK], pad: "x".repeat(70_000) }),
	"another's id": () => json({ client_id: "https://claude.ai/other", redirect_uris: [CALLBACK] }),
	"no id": () => json({ redirect_uris: [CALLBACK] }),
	"an id that is a list": (id) => json({ client_id: [id], redirect_uris: [CALLBACK] }),
	"no redirect URIs": (id) => json({ client_id: id }),
	"an empty list of redirect URIs": (id) => json({ client_id: id, redirect_uris: [] }),
	"redirect URIs that are text": (id) => json({ client_id: id, redirect_uris: CALLBACK }),
	"redirect URIs that are no texts": (id) => json({ client_id: id, redirect_uris: [{ a: CALLBACK }] }),
	"another's redirect URIs": (id) => json({ client_id: id, redirect_uris: ["https://claude.ai/callback"] }),
	"a secret": (id) => json({ client_id: id, redirect_uris: [CALLBACK], client_secret: "shared" }),
};
