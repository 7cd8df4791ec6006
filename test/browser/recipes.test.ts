import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { startOidc } from "../oidc.ts";
import { NO_BROWSER } from "./chromium.ts";
import { buildDescription, chooseDescription } from "./descriptions.ts";
import { locators } from "./locators.ts";
import { saveWorkflow } from "./seed.ts";
import { signInAtProvider } from "./sign-in.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const OPERATION = {
	title: "Who am I",
	method: "GET",
	path: "/me",
	params: { type: "object" },
	output: { schema: {} },
};

describe("recipes", { skip: NO_BROWSER }, () => {
	let oidc: Awaited<ReturnType<typeof startOidc>>;
	let host = "";
	const descriptions = createServer(({ url = "" }, response) => {
		if (url.startsWith("/missing")) response.statusCode = 404;
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify(url === "/openapi.json" ? buildDescription(3) : { asked: url }));
	});
	before(async () => {
		oidc = await startOidc();
		descriptions.listen(0, "127.0.0.1");
		await once(descriptions, "listening");
		host = `127.0.0.1:${(descriptions.address() as AddressInfo).port}`;
	});
	after(() => {
		oidc.close();
		descriptions.closeAllConnections();
		descriptions.close();
	});
	const world = browserWorld(() => ({ ALLOW_PRIVATE_HOSTS: `${oidc.host},${host}` }));
	let page: Page;
	before(async () => {
		const { origin } = new URL(world.url);
		oidc.register(`${origin}/oauth/callback/oidc`);
		const stored = await fetch(`${origin}/auth-recipes/oidc`, {
			method: "PUT",
			headers: { "x-service-api-key": "default" },
			body: JSON.stringify(oidc.recipe),
		});
		assert.equal(stored.status, 201);
		page = await world.page();
	});
	const { button, link, statusText, dialog, searchField, field, heading, alert, editor } = locators(
		() => page,
	);
	const items = () => page.getByRole("main").getByRole("list").getByRole("link");
	const putRecipe = (id: string, more: object) =>
		world.api("PUT", `/gui/recipes/${id}`, {
			title: "Profile",
			description: "Reads the profile.",
			auth: "oidc",
			base_url: `https://${oidc.host}`,
			operations: { who_am_i: OPERATION },
			...more,
		});

	test("are found by a word of the service or of an operation, and by category", async () => {
		await page.goto(`${world.url}/recipes`);
		await link("GitHub").waitFor();
		const all = await items().count();
		assert.ok(all > 50, String(all));
		await searchField("Find a service or an operation").fill("pull_requests");
		assert.deepEqual(await items().locator(".component-title").allInnerTexts(), ["GitHub"]);
		await button("Email").click();
		await button("Show all").click();
		assert.equal(await items().count(), all);
		await button("Email").click();
		assert.ok((await items().count()) < 10);
		await link("Gmail").waitFor();
		assert.equal(new URL(page.url()).search, "?category=email");
	});

	test("of one's own are marked, and deleted after a question", async () => {
		await putRecipe("mine", { title: "Mine", auth: null });
		await page.goto(`${world.url}/recipes`);
		await button("Your own").click();
		assert.equal(await items().count(), 1);
		await link("Mine").click();
		await page.getByText("This service needs no credential.").waitFor();
		await button("Delete").click();
		await dialog().getByRole("button", { name: "Delete" }).click();
		await statusText("Deleted mine").waitFor();
		await link("GitHub").waitFor();
		assert.equal(await link("Mine").count(), 0);
	});

	test("show operations with parameters and paging", async () => {
		await page.goto(`${world.url}/recipes/github`);
		const operation = page.getByRole("listitem").filter({ hasText: "list_issues" }).first();
		await operation.getByText("pages", { exact: true }).waitFor();
		await operation.getByText("List issues of a repository").click();
		await operation.getByText("GET /repos/{owner}/{repo}/issues").waitFor();
		await operation.getByText("The account or organization that owns the repository").waitFor();
		await operation.getByRole("link", { name: "Show component" }).click();
		await heading("GitHub: List issues of a repository recipe").waitFor();
	});

	test("are connected by a form for the credential", async () => {
		await page.goto(`${world.url}/recipes/github`);
		await page.getByText("There is no credential for it yet.").waitFor();
		await button("Connect: GitHub").click();
		await dialog()
			.getByRole("button", { name: /^GitHub token/ })
			.click();
		await dialog().getByLabel("Token", { exact: true }).fill("ghp_1234567890");
		await button("Save").click();
		await statusText("Saved github").waitFor();
		await page.getByRole("listitem").getByText("github", { exact: true }).waitFor();
		await assertAccessible(page);
	});

	test("are connected by a sign-in at the service", async () => {
		await putRecipe("profile", {});
		await page.goto(`${world.url}/recipes/profile`);
		await button("Connect: Profile").click();
		assert.equal(await button("Choose another type").count(), 0);
		await dialog().getByLabel("Client id").fill(oidc.credential.fields.client_id);
		await dialog().getByLabel("Client secret", { exact: true }).fill(oidc.credential.fields.client_secret);
		const opening = page.waitForEvent("popup");
		await button("Save").click();
		await signInAtProvider(await opening);
		await statusText("oidc is signed in").waitFor();
		const credential = page.getByRole("listitem").filter({ hasText: "oidc" });
		await credential.getByText("Signed in", { exact: true }).waitFor();
	});

	test("are connected beside the credential of a node, which then has it", async () => {
		await saveWorkflow(
			world,
			`name: issues
description: Lists issues
version: "1"
triplets:
  - issues >> then >> titles
config:
  issues:
    component: github.list_issues
    owner: octocat
    repo: Hello-World
  titles: { component: template, text: done }
`,
		);
		await page.goto(`${world.url}/workflows/issues`);
		await page.getByRole("button", { name: /^issues/ }).click();
		const panel = page.getByRole("region", { name: "issues", exact: true });
		const credential = panel.getByRole("combobox", { name: "Credential" });
		await credential.selectOption("github");
		await editor().getByText("credential: github").waitFor();
		await button("Connect: issues").click();
		await dialog()
			.getByRole("button", { name: /^GitHub token/ })
			.click();
		await dialog().getByLabel("Name").fill("work");
		await dialog().getByLabel("Token", { exact: true }).fill("ghp_1234567890");
		await assertAccessible(page, { within: "dialog" });
		await button("Save").click();
		await editor().getByText("credential: work").waitFor();
		assert.equal(await credential.inputValue(), "work");
		await assertAccessible(page, { within: "main" });
		await page.getByText(/^Draft saved /).waitFor();
		await panel.getByRole("button", { name: "Close" }).click();
		await page.getByRole("button", { name: /^titles/ }).click();
		await page.getByRole("region", { name: "titles", exact: true }).waitFor();
		assert.equal(await page.getByRole("combobox", { name: "Credential" }).count(), 0);
	});

	test("are imported from a file with many operations", async () => {
		await page.goto(`${world.url}/import-recipe`);
		await chooseDescription(page, buildDescription(1_200));
		await statusText("1200 operations · 0 of at most 50 selected").waitFor();
		const rows = page.getByRole("checkbox");
		assert.ok((await rows.count()) < 60);
		await button("Select those shown").click();
		await statusText("50 of at most 50 selected").waitFor();
		await button("Clear selection").click();
		await searchField("Find an operation").fill("number 1199");
		await statusText("1 of 1200 operations").waitFor();
		await rows.check();
		await searchField("Find an operation").fill("readThing0");
		await rows.check();
		await statusText("2 of at most 50 selected").waitFor();
		await field("Name of the recipe optional").fill("shop");
		await assertAccessible(page);
		await button("Preview").click();
		await heading("Preview of Shop API").waitFor();
		await page.getByText("https://shop.example/v1", { exact: true }).waitFor();
		await page.getByText(/A new auth recipe is saved with it/).waitFor();
		await page
			.getByRole("region", { name: "Not understood" })
			.getByText(/cookie/)
			.first()
			.waitFor();
		await assertAccessible(page);

		await button("Change the selection").click();
		await statusText("2 of at most 50 selected").waitFor();
		await button("Preview").click();
		await button("Save recipe").click();
		await statusText("Saved shop").waitFor();
		await heading("Shop API Your own").waitFor();
		await page.getByText("read_thing1199").waitFor();
		await button("Connect: Shop API").waitFor();
	});

	test("are imported from an address, and problems are shown at their field", async () => {
		await page.goto(`${world.url}/import-recipe`);
		const address = field("Address");
		await button("List operations").click();
		await page.getByText("Required", { exact: true }).waitFor();
		await address.fill("http://127.0.0.1:1/openapi.json");
		await button("List operations").click();
		await page.getByText(/127\.0\.0\.1 is not a public address/).waitFor();
		assert.equal(await address.getAttribute("aria-invalid"), "true");
		await address.fill(`http://${host}/openapi.json`);
		await button("List operations").click();
		await statusText("3 operations").waitFor();
		await button("Select those shown").click();
		await field("Name of the recipe optional").fill("Not A Name");
		await button("Preview").click();
		await page.getByText(/must be 1 to 64 lowercase letters/).waitFor();
		await field("Name of the recipe optional").fill("");
		await button("Preview").click();
		await button("Save recipe").click();
		await statusText(/^Saved shop/).waitFor();
	});

	test("are tried with parameters, and show the output or the error", async () => {
		const params = {
			type: "object",
			properties: { place: { type: "string" }, deep: { type: "boolean" } },
			required: ["place"],
		};
		const who_am_i = { ...OPERATION, path: "/{place}", query: { deep: "{{params.deep}}" }, params };
		await putRecipe("echo", {
			title: "Echo",
			auth: null,
			base_url: `http://${host}`,
			operations: { who_am_i },
		});
		await page.goto(`${world.url}/recipes/echo`);
		await page.getByText("Who am I").click();
		await button("Try it").click();
		await button("Run").click();
		await dialog()
			.getByText(/fill in|required/i)
			.first()
			.waitFor();
		await dialog().getByLabel("place").fill("here");
		await button("Run").click();
		const result = dialog().getByRole("region", { name: "Result" });
		await result.getByText("Succeeded", { exact: true }).waitFor();
		await result.getByText("/here", { exact: false }).waitFor();
		await assertAccessible(page, { within: "dialog" });
		await dialog().getByLabel("place").fill("missing");
		await button("Run").click();
		await result.getByText("Failed").waitFor();
		await result.getByText(/404/).waitFor();
		assert.equal(((await world.api("GET", "/gui/workflows")) as { workflows: object[] }).workflows.length, 1);
	});

	test("are written with a form, and problems are shown at their fields", async () => {
		await page.goto(`${world.url}/recipes`);
		await link("New recipe").click();
		await field("Name").fill("helpdesk");
		await field("Title").fill("Helpdesk");
		await field("Description").fill("Tickets of the helpdesk.");
		await field("Base URL").fill("https://desk.example/api");
		await button("Add operation").click();
		await field("Name of the operation").fill("get_ticket");
		await field("Title").nth(1).fill("Get a ticket");
		await field("Path").fill("/tickets/{ticket}");
		await button("Save").click();
		await page.getByText(/uses "ticket", which is not a parameter/).waitFor();
		assert.equal(await field("Path").getAttribute("aria-invalid"), "true");
		await button("Add parameter").click();
		await field("Parameter").fill("ticket");
		await page.getByRole("checkbox", { name: "Required" }).check();
		await field("Query optional").fill("{ not");
		await button("Save").and(page.locator(":disabled")).waitFor();
		await field("Query optional").fill('{ "full": "true" }');
		await assertAccessible(page);
		await button("Save").click();
		await statusText("Saved helpdesk").waitFor();
		await heading("Helpdesk Your own").waitFor();
		const saved = (await world.api("GET", "/gui/recipes/helpdesk")) as { operations: object };
		assert.deepEqual(saved.operations, {
			get_ticket: {
				title: "Get a ticket",
				method: "GET",
				path: "/tickets/{ticket}",
				params: { type: "object", properties: { ticket: { type: "string" } }, required: ["ticket"] },
				query: { full: "true" },
				output: { schema: {} },
			},
		});
	});

	test("are written as JSON too, and the form loses nothing of it", async () => {
		await page.goto(`${world.url}/recipes/github/edit`);
		const before = (await world.api("GET", "/gui/recipes/github")) as { title: string };
		await field("Title").first().fill("Our GitHub");
		await page.getByRole("tab", { name: "JSON" }).click();
		const json = field("The recipe as JSON");
		assert.deepEqual(JSON.parse(await json.inputValue()), { ...before, title: "Our GitHub" });
		await json.fill("{");
		await page.getByRole("tab", { name: "Form" }).click();
		await statusText("Correct the JSON").or(alert().getByText("Correct the JSON")).first().waitFor();
		await json.fill(JSON.stringify({ ...before, title: "Their GitHub" }));
		await page.getByRole("tab", { name: "Form" }).click();
		assert.equal(await field("Title").first().inputValue(), "Their GitHub");
		await button("Save").click();
		await heading("Their GitHub Your own").waitFor();
		assert.deepEqual(await world.api("GET", "/gui/recipes/github"), { ...before, title: "Their GitHub" });
		await world.api("DELETE", "/gui/recipes/github");
	});

	test("a text that is no description is refused", async () => {
		await page.goto(`${world.url}/import-recipe`);
		await page.getByRole("radio", { name: "a file" }).check();
		await page
			.locator("input[type=file]")
			.setInputFiles({ name: "a.json", mimeType: "application/json", buffer: Buffer.from("[1]") });
		await button("List operations").click();
		await alert().filter({ hasText: "description" }).waitFor();
	});
});
