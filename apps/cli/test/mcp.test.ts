import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createBrowser } from "../../../test/security/browser.ts";
import { startOAuthMcpServer, TOKEN } from "./oauth-mcp-server.ts";
import { startWorld } from "./world.ts";

const world = await startWorld({ ALLOW_PRIVATE_HOSTS: "127.0.0.1" });
let server: Awaited<ReturnType<typeof startOAuthMcpServer>>;

before(async () => {
	server = await startOAuthMcpServer();
});
after(() => server.close());

const inNamespace = (NAMESPACE: string) => ({ env: { NAMESPACE } });

/** Opens the link that the command has got, once, while the command waits. */
function signingIn() {
	let link = "";
	let visit: Promise<void> | undefined;
	return {
		async fetch(request: Request, init?: RequestInit): Promise<Response> {
			const response = await fetch(request, init);
			if (request.url.endsWith("/sign-in")) link = ((await response.clone().json()) as { url: string }).url;
			return response;
		},
		wait() {
			visit ??= (async () => {
				const browser = createBrowser();
				await browser.open(link);
				assert.match(await browser.submit({}), /Signed in/);
			})();
			return visit.then(() => new Promise((resolve) => setTimeout(resolve, 20)));
		},
	};
}

describe("mcp", () => {
	test("add says what to do if the server wants to know who calls", async () => {
		const { code, err } = await world.cli(["mcp", "add", "crm", server.url], inNamespace("asks"));
		assert.equal(code, 1);
		assert.match(err, /401/);
		assert.match(err, new RegExp(`tripline mcp add crm ${server.url} --sign-in, or --token`));
	});

	test("add --token stores the token from standard input and lists the tools", async () => {
		const at = { ...inNamespace("token"), stdin: `${TOKEN}\n` };
		const { code, out, err } = await world.cli(["mcp", "add", "crm", server.url, "--token"], at);
		assert.equal(code, 0, err);
		assert.match(out, /crm: 1 tool of greeter\n {2}mcp:crm\.greet {2}Does greet\./);
		assert.doesNotMatch(out + err, new RegExp(TOKEN));
		const creds = await world.cli(["creds", "list"], inNamespace("token"));
		assert.match(creds.out, /^mcp_crm_token +bearer_token/m);
		const none = await world.cli(["mcp", "add", "crm", server.url, "--token"], inNamespace("no-token"));
		assert.equal(none.code, 2);
		assert.match(none.err, /there is no token/);
	});

	test("add --sign-in prints a link, waits for the sign-in and shows the tools", async () => {
		const { code, out, err } = await world.cli(["mcp", "add", "crm", server.url, "--sign-in"], {
			...inNamespace("signs-in"),
			...signingIn(),
		});
		assert.equal(code, 0, err);
		assert.match(err, /Open this link in a browser:\nhttp/);
		assert.match(out, /mcp:crm\.greet/);
		const shown = await world.cli(["mcp", "list"], inNamespace("signs-in"));
		assert.match(shown.out, /^crm +http:\S+ +mcp_crm +1 /m);
		assert.doesNotMatch(out + err + shown.out, /canary/);
	});

	test("show, refresh, accept and remove work on what was added", async () => {
		server.state.isOpen = true;
		const at = inNamespace("changes");
		assert.equal((await world.cli(["mcp", "add", "crm", server.url], at)).code, 0);
		const shown = await world.cli(["mcp", "show", "crm"], at);
		assert.match(
			shown.out,
			/mcp:crm\.greet\nDoes greet\. {2}\[31mNot more\.\nparameters:\n {2}who +text +A name/,
		);
		assert.match((await world.cli(["mcp", "refresh", "crm"], at)).out, /nothing has changed/);
		server.state.tools = ["greet", "leave"];
		const changed = await world.cli(["mcp", "refresh", "crm"], at);
		assert.match(changed.out, /new: leave/);
		assert.match(changed.out, /tripline mcp accept crm/);
		assert.match((await world.cli(["mcp", "list"], at)).out, /has changed/);
		const unasked = await world.cli(["mcp", "accept", "crm"], at);
		assert.equal(unasked.code, 2);
		assert.match(unasked.err, /nothing was accepted. Not a terminal; pass --yes/);
		const accepted = await world.cli(["mcp", "accept", "crm", "--yes"], at);
		assert.match(accepted.out, /crm: 2 tools/);
		assert.match((await world.cli(["mcp", "accept", "crm"], at)).out, /nothing has changed/);
		assert.equal((await world.cli(["mcp", "remove", "crm"], at)).code, 2);
		assert.match((await world.cli(["mcp", "remove", "crm", "--yes"], at)).out, /crm is removed/);
		assert.match((await world.cli(["mcp", "list"], at)).out, /no MCP servers/);
		server.state.isOpen = false;
	});

	for (const command of ["show", "refresh", "accept", "remove", "sign-in"])
		test(`${command} of a server that is not there says so`, async () => {
			const { code, err } = await world.cli(["mcp", command, "nobody"], inNamespace("empty"));
			assert.equal(code, 1);
			assert.match(err, /there is no MCP server "nobody"/);
		});

	test("add takes one way to authorize it", async () => {
		const { code, err } = await world.cli(["mcp", "add", "crm", server.url, "--token", "--sign-in"]);
		assert.equal(code, 2);
		assert.match(err, /pass one of --token and --sign-in/);
	});
});
