import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { systemClock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { buildConsole } from "../../apps/console/build.ts";
import { readFolder } from "../../apps/node/src/console-folder.ts";
import { type Service, startService } from "../../apps/node/src/service.ts";
import { parseSettings } from "../../apps/node/src/settings.ts";
import { launchChromium } from "./chromium.ts";

export const OWNER_SECRET = "the owner's secret of these tests";
export const STATIC_TOKEN = "static-token-of-the-browser-tests";
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Messages of the browser itself: error statuses, which pages show, and rendering performance. */
const BROWSER_MESSAGES = /^Failed to load resource|GL Driver Message/;

interface Look {
	readonly language?: "en-US" | "zh-TW";
	readonly theme?: "light" | "dark";
	readonly width?: number;
	readonly height?: number;
	/** Logged in with the static token, or else without a session. */
	readonly isLoggedIn?: boolean;
}

/** A service with the console and a browser; both are closed after the tests of the file. */
export interface World {
	readonly url: string;
	readonly storeUrl: string;
	/** A page on which errors and console messages fail the tests. */
	page(look?: Look): Promise<Page>;
	/** Calls the console's API. */
	api(method: string, path: string, body?: object | string): Promise<unknown>;
	/** Uploads a file and returns its ID. */
	upload(name: string, type: string, content: string | Uint8Array<ArrayBuffer>): Promise<string>;
	/** Gets an access token through the OAuth flow, for a client with this name. */
	issueToken(clientName: string): Promise<string>;
}

/** @param getSettings Called when the service starts. */
export function browserWorld(
	getSettings: () => Readonly<Record<string, string>> = () => ({}),
	doubles: Partial<Pick<Parameters<typeof startService>[0], "readDisk">> = {},
): World {
	const folder = mkdtempSync(join(tmpdir(), "tripline-browser-"));
	let service: Service;
	let browser: Browser;
	const contexts: BrowserContext[] = [];
	const said: string[] = [];

	before(async () => {
		const [launched] = await Promise.all([launchChromium(), buildConsole(join(folder, "console"))]);
		browser = launched;
		service = await startService({
			settings: parseSettings({
				PORT: "0",
				STORE_PORT: "0",
				DATA_DIR: join(folder, "data"),
				MCP_OWNER_SECRET: OWNER_SECRET,
				MCP_STATIC_TOKEN: STATIC_TOKEN,
				...getSettings(),
			}),
			clock: systemClock,
			log: jsonLog({ level: "error", clock: systemClock, write: (line) => said.push(line) }),
			version: "0.0.0-test",
			console: readFolder(join(folder, "console")),
			...doubles,
		});
	});
	after(async () => {
		await Promise.all(contexts.map((context) => context.close()));
		await browser?.close();
		await service?.close();
		rmSync(folder, { recursive: true, force: true });
		assert.deepEqual(said, []);
	});

	return {
		get url() {
			return `${service.publicUrl}/console`;
		},
		get storeUrl() {
			return service.storeUrl;
		},
		async page({ language = "en-US", theme = "light", width = 1280, height = 860, isLoggedIn = true } = {}) {
			const context = await browser.newContext({
				locale: language,
				colorScheme: theme,
				viewport: { width, height },
				reducedMotion: "reduce",
				permissions: ["clipboard-read", "clipboard-write"],
			});
			contexts.push(context);
			if (isLoggedIn)
				await context.addInitScript(
					`sessionStorage.setItem("tripline.typed_token", ${toScriptString(STATIC_TOKEN)})`,
				);
			const page = await context.newPage();
			page.on("pageerror", (error) => said.push(`page error: ${error.stack ?? error.message}`));
			page.on("console", (message) => {
				const isOwn = BROWSER_MESSAGES.test(message.text());
				if (!["error", "warning"].includes(message.type()) || isOwn) return;
				const { url, lineNumber, columnNumber } = message.location();
				said.push(`${page.url()}: ${message.text()} (${url}:${lineNumber + 1}:${columnNumber + 1})`);
			});
			return page;
		},
		async api(method, path, body) {
			const response = await fetch(service.publicUrl + path, {
				method,
				headers: {
					authorization: `Bearer ${STATIC_TOKEN}`,
					"content-type": typeof body === "string" ? "application/yaml" : "application/json",
				},
				...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
			});
			const text = await response.text();
			assert.ok(response.ok, `${method} ${path} returned ${response.status}: ${text}`);
			return JSON.parse(text);
		},
		async upload(name, type, content) {
			const response = await fetch(`${service.publicUrl}/gui/files?${new URLSearchParams({ name })}`, {
				method: "POST",
				headers: { authorization: `Bearer ${STATIC_TOKEN}`, "content-type": type },
				body: content,
			});
			assert.equal(response.status, 201);
			return ((await response.json()) as { id: string }).id;
		},
		issueToken: (clientName) => issueToken(service.publicUrl, clientName),
	};
}

async function issueToken(origin: string, client_name: string): Promise<string> {
	const redirect_uri = "http://127.0.0.1:1/callback";
	const registration = await fetch(`${origin}/register`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			client_name,
			redirect_uris: [redirect_uri],
			token_endpoint_auth_method: "none",
		}),
	});
	const { client_id } = (await registration.json()) as { client_id: string };
	const code_verifier = randomBytes(32).toString("base64url");
	const agreed = await postForm("/authorize", {
		client_id,
		redirect_uri,
		response_type: "code",
		code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
		code_challenge_method: "S256",
		owner_secret: OWNER_SECRET,
	});
	const code = new URL(agreed.headers.get("location") ?? "").searchParams.get("code") ?? "";
	const granted = await postForm("/token", {
		client_id,
		redirect_uri,
		grant_type: "authorization_code",
		code,
		code_verifier,
	});
	return ((await granted.json()) as { access_token: string }).access_token;

	function postForm(path: string, form: Record<string, string>): Promise<Response> {
		return fetch(origin + path, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
	}
}

const toScriptString = (text: string): string => JSON.stringify(JSON.stringify(text));

interface Finding {
	readonly id: string;
	readonly impact: string;
	readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

interface Wanted {
	/** Checks only this part of the page. */
	readonly within?: string;
	readonly runOnly?: readonly string[];
	readonly rules?: Readonly<Record<string, { readonly enabled: boolean }>>;
}

/** Asserts that axe finds no violations of any severity. */
export async function assertAccessible(
	page: Page,
	{ within = "html", ...wanted }: Wanted = {},
): Promise<void> {
	if (!(await page.evaluate("'axe' in window"))) {
		// Injected through the debugger: the content security policy allows only the page's own scripts.
		const debug = await page.context().newCDPSession(page);
		await debug.send("Runtime.evaluate", { expression: AXE });
		await debug.detach();
	}
	const options = JSON.stringify({ resultTypes: ["violations"], preload: false, ...wanted });
	const { violations } = (await page.evaluate(`axe.run("${within}", ${options})`)) as {
		violations: readonly Finding[];
	};
	const told = violations.map(({ id, impact, nodes }) =>
		[
			`${impact} ${id}`,
			...nodes.map(({ target, failureSummary }) => `  ${target.join(" ")}: ${failureSummary}`),
		].join("\n"),
	);
	assert.deepEqual(told, [], new URL(page.url()).pathname);
}
