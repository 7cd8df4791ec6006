import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchChromium, NO_BROWSER } from "../browser/chromium.ts";
import { STEPS } from "../browser/seed.ts";
import { openFront } from "./conformance/front.ts";
import { type Machine, startMachine } from "./machine.ts";

describe("the console of a deployment, in a browser", { skip: NO_BROWSER }, () => {
	let machine: Machine;
	let browser: Browser;
	let page: Page;
	const said: string[] = [];
	/** Requests to hosts other than the deployment. */
	const elsewhere: string[] = [];
	before(async () => {
		[machine, browser] = await Promise.all([startMachine(), launchChromium()]);
		const { code, err } = await machine.cli(["init"]);
		assert.equal(code, 0, err);
		page = await openPage(await openBrowser());
	});
	after(() => browser?.close());

	/** A browser that routes the deployment's addresses to the stand-in. */
	async function openBrowser(): Promise<BrowserContext> {
		const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-US" });
		await context.route("**", async (route) => {
			const request = route.request();
			if (!request.url().startsWith(`${machine.url("mcp")}/`)) {
				elsewhere.push(request.url());
				return route.abort();
			}
			const body = request.postDataBuffer();
			const response = await machine.fetch(
				new Request(request.url(), {
					method: request.method(),
					headers: await request.allHeaders().then(dropPseudoHeaders),
					...(body !== null && { body: new Uint8Array(body) }),
					redirect: "manual",
				}),
			);
			await route.fulfill({
				status: response.status,
				headers: Object.fromEntries(response.headers),
				body: Buffer.from(await response.arrayBuffer()),
			});
		});
		return context;
	}

	async function openPage(context: BrowserContext): Promise<Page> {
		const opened = await context.newPage();
		opened.on("pageerror", (error) => said.push(error.stack ?? error.message));
		return opened;
	}

	const button = (name: string, on = page) => on.getByRole("button", { name, exact: true });
	const node = (name: string, state: string, on = page) =>
		on.getByRole("button", { name: new RegExp(`^${state} ${name}\\b`) });

	test("accepts the owner secret that init created", async () => {
		await page.goto(`${machine.url("mcp")}/console`);
		await button("Log in").click();
		await page.getByLabel("Owner secret").fill(machine.secrets().MCP_OWNER_SECRET ?? "");
		await button("Log in").click();
		await page.getByRole("heading", { name: "Overview", exact: true }).waitFor();
	});

	test("guides to a first workflow, which runs", async () => {
		await page.getByRole("link", { name: "Create a first workflow" }).click();
		await page.getByText("No problems").waitFor();
		await button("Save and run").click();
		await page.getByText(/^Succeeded in /).waitFor();
		await page.getByText("Hello Ada!").waitFor();
		await node("hello", "Succeeded").waitFor();
	});

	test("shows the run", async () => {
		await page.goto(`${machine.url("mcp")}/console/executions`);
		await page.getByRole("link", { name: /greet/ }).first().click();
		await page.getByRole("heading", { name: "greet", exact: true }).waitFor();
		await page.getByText("Console", { exact: true }).first().waitFor();
	});

	test("shows the progress of nodes live, through the owner's proxy", async () => {
		const token = JSON.parse(
			(await page.evaluate(`localStorage.getItem("tripline.access_token")`)) as string,
		) as string;
		const front = await openFront({
			standIn: machine.standIn,
			credentials: () => ({ access: null, internal: null }),
			ready: async () => {},
		});
		const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-US" });
		try {
			const saved = await machine.fetch(
				new Request(`${machine.url("mcp")}/gui/workflows/steps`, {
					method: "PUT",
					headers: { authorization: `Bearer ${token}`, "content-type": "application/yaml" },
					body: STEPS,
				}),
			);
			assert.equal(saved.status, 201, await saved.text());
			const other = await openPage(context);
			await other.addInitScript(`sessionStorage.setItem("tripline.typed_token", '${JSON.stringify(token)}')`);
			await other.goto(`${front.url}/console/workflows/steps`);
			await button("Run", other).click();
			await node("second", "Running", other).waitFor();
			await node("first", "Succeeded", other).waitFor();
			await node("second", "Succeeded", other).waitFor();
		} finally {
			await context.close();
			await front.close();
		}
	});

	test("sends no request elsewhere, and logs no error", () => {
		assert.deepEqual(elsewhere, []);
		assert.deepEqual(said, []);
	});
});

const dropPseudoHeaders = (headers: Record<string, string>): Record<string, string> =>
	Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(":")));
