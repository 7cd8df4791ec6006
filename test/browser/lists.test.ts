import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { assertFits } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import { createNote, GREETING, runWorkflow, saveWorkflow, waitForRecords } from "./seed.ts";
import { assertAccessible, browserWorld, OWNER_SECRET } from "./world.ts";

const MALFORMED_ID = "nothing";
const UNKNOWN_ID = "01a1dfde-0000-7000-8000-000000000000";
const STORE_ERROR = "the store does not answer";
/** Page size of the service's token list. */
const TOKENS_PER_PAGE = 20;

describe("lists and their actions", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	before(async () => {
		page = await world.page();
		await saveWorkflow(world, GREETING);
		await waitForRecords(world, await runWorkflow(world, "greet", { name: "Ada" }));
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button, heading, link, field, searchField, statusText, alert, dialog, waitForFocus } = locators(
		() => page,
	);
	const place = () => new URL(page.url()).pathname.slice("/console".length);

	/** Makes matching calls fail the given number of times; later ones succeed. */
	async function failCalls(calls: string | RegExp, times = 1): Promise<void> {
		await page.route(calls, (route) => route.fulfill({ status: 503, json: { error: STORE_ERROR } }), {
			times,
		});
	}

	async function putCredential(name: string): Promise<void> {
		const fields = { token: "ghp_1234567890" };
		await world.api("PUT", `/gui/credentials/${name}`, { auth_recipe: "github_token", fields });
	}

	describe("not found", () => {
		for (const id of [UNKNOWN_ID, MALFORMED_ID])
			test(`run ${id}`, async () => {
				await open(`/executions/${id}?verdict=success`);
				await page.getByText("Run not found").waitFor();
				assert.equal(await alert().count(), 0);
				await assertAccessible(page, { within: "main" });
				await link("Show all runs").click();
				await page.getByText("Run not found").waitFor({ state: "detached" });
				assert.equal(place(), "/executions");
			});

		for (const id of [UNKNOWN_ID, MALFORMED_ID])
			test(`entry ${id}`, async () => {
				await open(`/knowledge/${id}`);
				await page.getByText("Entry not found").waitFor();
				assert.equal(await alert().count(), 0);
				await link("Show all entries").click();
				await page.getByText("Entry not found").waitFor({ state: "detached" });
				assert.equal(place(), "/knowledge");
			});

		for (const [of, list] of [
			["components", "/components"],
			["registry", "/components?in=market"],
		] as const)
			test(`component of ${of}`, async () => {
				await open(`/${of}/nothing`);
				await page.getByText("Component “nothing” not found").waitFor();
				assert.equal(await alert().count(), 0);
				await page.getByRole("main").getByRole("link").last().click();
				await searchField("Find a component").waitFor();
				assert.equal(page.url(), world.url + list);
			});
	});

	describe("runs", () => {
		test("shows an error of the first page where the list starts", async () => {
			await failCalls("**/gui/executions*");
			await open("/executions");
			await alert().waitFor();
			const [told, filters] = await Promise.all([
				alert().boundingBox(),
				page.getByRole("search", { name: "Filter" }).boundingBox(),
			]);
			assert.ok(told !== null && filters !== null);
			assert.ok(told.y - (filters.y + filters.height) < 60, `${told.y} is far from ${filters.y}`);
			await button("Try again").click();
			await link(/greet/).first().waitFor();
			assert.equal(await alert().count(), 0);
		});

		test("clears a filter without results from its message", async () => {
			await open("/executions?q=no+such+words&verdict=success");
			await button("Show all").click();
			await link(/greet/).first().waitFor();
			await waitForFocus(searchField("Search name, error or target"));
			assert.equal(new URL(page.url()).search, "");
		});
	});

	describe("chart of the overview", () => {
		const HOUR_MS = 3_600_000;
		const RANGES = { "": 24, "?range=week": 168 } as const;

		for (const language of ["en-US", "zh-TW"] as const)
			for (const [range, count] of Object.entries(RANGES))
				test(`keeps tick labels of ${count} hours apart and unclipped on a phone: ${language}`, async () => {
					const narrow = await world.page({ language, width: 360 });
					let last = 0;
					await narrow.route("**/gui/overview*", async (route) => {
						const response = await route.fetch();
						const hours = Array.from({ length: count }, (_, index) => ({
							hour: new Date(last - (count - 1 - index) * HOUR_MS).toISOString(),
							success: index % 3,
							failed: 0,
						}));
						await route.fulfill({ response, json: { ...(await response.json()), hours } });
					});
					for (const hour of [0, 3, 8, 17]) {
						last = new Date(2026, 5, 10, hour).getTime();
						await narrow.goto(`${world.url}/${range}`);
						await narrow.locator(".runs-ticks").waitFor();
						assert.deepEqual(await narrow.evaluate(CUT_OR_TOUCHING), [], `at ${hour}`);
						await assertFits(narrow, 360);
					}
				});

		/** Visible labels that are clipped, leave the card or touch the next label. */
		const CUT_OR_TOUCHING = `(() => {
			const ticks = document.querySelector(".runs-ticks");
			const card = ticks.closest(".card").getBoundingClientRect();
			const right = getComputedStyle(ticks).overflow === "visible" ? card.right : ticks.getBoundingClientRect().right;
			const boxes = [...ticks.children].filter((each) => each.checkVisibility()).map((each) => {
				const range = document.createRange();
				range.selectNodeContents(each);
				return { text: each.textContent, box: range.getBoundingClientRect() };
			});
			return boxes.filter(({ box }, index) =>
				box.width === 0 || box.left < card.left || box.right > right || box.right + 2 > boxes[index + 1]?.box.left)
				.map(({ text }) => text);
		})()`;
	});

	describe("knowledge", () => {
		/** Edits an entry, changes it through the API meanwhile, and saves the edit. */
		async function createConflict(name: string): Promise<string> {
			const id = await createNote(world, name, "As it was.");
			await open(`/knowledge/${id}`);
			await button("Edit").click();
			await waitForFocus(field("Content"));
			await field("Content").fill("Mine.");
			await world.api("PUT", `/gui/entries/${id}`, { content: "Theirs.", metadata_json: '{"by":"them"}' });
			await button("Save").click();
			await heading("This entry has changed").waitFor();
			await dialog().getByText("Theirs.").waitFor();
			return id;
		}

		async function readContent(id: string): Promise<string> {
			const { entry } = (await world.api("GET", `/gui/entries/${id}`)) as { entry: { content: string } };
			return entry.content;
		}

		test("overwrites a concurrent change with my version", async () => {
			const id = await createConflict("First conflict");
			await assertAccessible(page, { within: "dialog" });
			await button("Overwrite with my version").click();
			await statusText("Saved").waitFor();
			await page.getByRole("region", { name: "Content" }).getByText("Mine.").waitFor();
			assert.equal(await readContent(id), "Mine.");
			await waitForFocus(button("Edit"));
		});

		test("discards my version after a concurrent change", async () => {
			const id = await createConflict("Second conflict");
			await button("Discard my changes").click();
			await page.getByRole("region", { name: "Content" }).getByText("Theirs.").waitFor();
			await link(/Second conflict.*Theirs\./).waitFor();
			assert.equal(await readContent(id), "Theirs.");
			await waitForFocus(button("Edit"));
		});

		test("continues editing after a concurrent change", async () => {
			const id = await createConflict("Third conflict");
			await page.keyboard.press("Escape");
			await waitForFocus(button("Save"));
			assert.equal(await field("Content").inputValue(), "Mine.");
			await button("Save").click();
			await button("Overwrite with my version").click();
			await statusText("Saved").waitFor();
			assert.equal(await readContent(id), "Mine.");
		});

		test("removes an entry that was already deleted", async () => {
			const id = await createNote(world, "Gone already", "As it was.");
			await open(`/knowledge/${id}`);
			await button("Delete").click();
			await dialog().getByText("cannot be undone").waitFor();
			await world.api("DELETE", `/gui/entries/${id}`);
			await dialog().getByRole("button", { name: "Delete" }).click();
			await statusText("Already deleted").waitFor();
			assert.equal(await dialog().count(), 0);
			assert.equal(await link(/^Gone already/).count(), 0);
			assert.equal(place(), "/knowledge");
			await waitForFocus(searchField("Search knowledge"));
		});

		test("shows a failed deletion, and clears the error when the dialog reopens", async () => {
			const id = await createNote(world, "Stays", "As it was.");
			await open(`/knowledge/${id}`);
			await heading("Stays").waitFor();
			await failCalls(`**/gui/entries/${id}`);
			await button("Delete").click();
			await dialog().getByRole("button", { name: "Delete" }).click();
			await dialog().getByText(STORE_ERROR).waitFor();
			await waitForFocus(dialog().getByRole("button", { name: "Delete" }));
			await page.keyboard.press("Escape");
			await waitForFocus(button("Delete"));
			await button("Delete").click();
			assert.equal(await dialog().getByText(STORE_ERROR).count(), 0);
			await dialog().getByRole("button", { name: "Cancel" }).click();
			await waitForFocus(button("Delete"));
		});

		test("retries a failed search", async () => {
			await createNote(world, "Opening hours", "From nine to five.");
			await open("/knowledge");
			await failCalls("**/gui/search");
			await searchField("Search knowledge").fill("opening");
			await alert().filter({ hasText: STORE_ERROR }).waitFor();
			await button("Try again").click();
			const results = page.getByRole("list", { name: "Search results" });
			await results.getByRole("link", { name: /^Opening hours/ }).waitFor();
			assert.equal(await alert().count(), 0);
		});

		test("clears a search and type without results from their message", async () => {
			await open("/knowledge?q=zzzzqqqq&type=note");
			await button("Show all").click();
			await link(/^Opening hours/).waitFor();
			await waitForFocus(searchField("Search knowledge"));
			await open("/knowledge?type=never-written");
			await page.getByText("No entries of type never-written").waitFor();
			await button("Show all").click();
			await link(/^Opening hours/).waitFor();
			assert.equal(new URL(page.url()).search, "");
		});
	});

	describe("tokens", () => {
		const revoke = (name: string) => button(`Revoke the token of ${name}`);
		const rows = () => page.getByRole("row").filter({ has: button("Revoke").or(page.locator("td")) });

		before(async () => {
			for (let count = 0; count <= TOKENS_PER_PAGE; count++) await world.issueToken(`Assistant ${count}.`);
		});

		test("loads more tokens, also after an error", async () => {
			await open("/connect");
			await button("Load more").waitFor();
			assert.equal(await rows().count(), TOKENS_PER_PAGE);
			await failCalls("**/gui/tokens?cursor=*");
			await button("Load more").press("Enter");
			await alert().filter({ hasText: STORE_ERROR }).waitFor();
			await waitForFocus(button("Try again"));
			await page.keyboard.press("Enter");
			await rows().nth(TOKENS_PER_PAGE).waitFor();
			await waitForFocus(rows().nth(TOKENS_PER_PAGE).getByRole("button"));
			assert.equal(await rows().count(), TOKENS_PER_PAGE + 1);
			assert.equal(await alert().count(), 0);
			assert.equal(await button("Load more").count(), 0);
		});

		test("removes an already revoked token and focuses the next one", async () => {
			await open("/connect");
			const { tokens } = (await world.api("GET", "/gui/tokens")) as {
				tokens: { id: string; client_name: string }[];
			};
			const [first, second] = tokens;
			assert.ok(first !== undefined && second !== undefined);
			await revoke(first.client_name).click();
			await dialog().getByText("The client must log in again").waitFor();
			await world.api("DELETE", `/gui/tokens/${first.id}`);
			await dialog().getByRole("button", { name: "Revoke" }).click();
			await statusText("Already deleted").waitFor();
			assert.equal(await revoke(first.client_name).count(), 0);
			await waitForFocus(revoke(second.client_name));
		});
	});

	describe("components", () => {
		const items = () => page.getByRole("main").getByRole("listitem");

		test("loads more of the market, also after an error", async () => {
			await page.route(/\/gui\/registry\/components\?/, (route) =>
				route.continue({ url: route.request().url().replace("limit=60", "limit=5") }),
			);
			await open("/components?in=market");
			await items().nth(4).waitFor();
			assert.equal(await items().count(), 5);
			await failCalls(/\/gui\/registry\/components\?.*cursor=/);
			await button("Load more").press("Enter");
			await alert().filter({ hasText: STORE_ERROR }).waitFor();
			await waitForFocus(button("Try again"));
			await page.keyboard.press("Enter");
			await items().nth(9).waitFor();
			await waitForFocus(items().nth(5).getByRole("link"));
			const names = await items().allInnerTexts();
			assert.equal(new Set(names).size, 10);
			await failCalls(/\/gui\/registry\/components\?.*cursor=/);
			await button("Load more").click();
			await alert().filter({ hasText: STORE_ERROR }).waitFor();
			await searchField("Find a component").fill("holidays");
			await link(/^Public holidays/).waitFor();
			await searchField("Find a component").fill("list");
			await items().first().waitFor();
			assert.equal(await alert().count(), 0);
			await page.unroute(/\/gui\/registry\/components\?/);
		});

		for (const [where, path] of [
			["among available components", "/components?q=zzzzqqqq"],
			["in the market", "/components?in=market&q=zzzzqqqq"],
		] as const)
			test(`clears a search without results ${where}`, async () => {
				await open(path);
				await button("Show all").click();
				await items().nth(4).waitFor();
				await waitForFocus(searchField("Find a component"));
			});

		test("removes a component that was already uninstalled", async () => {
			await open("/registry/business_days");
			await button("Install").click();
			await dialog().getByRole("button", { name: "Install" }).click();
			await statusText("Installed").waitFor();
			await open("/components/business_days");
			await button("Uninstall").click();
			await dialog().getByText("Workflows that use it").waitFor();
			await world.api("DELETE", "/gui/components/business_days");
			await dialog().getByRole("button", { name: "Uninstall" }).click();
			await statusText("Already deleted").waitFor();
			assert.equal(place(), "/components");
		});
	});

	describe("credentials", () => {
		test("shows a field error until the field is changed", async () => {
			await open("/credentials?new=bearer_token");
			const host = dialog().getByRole("textbox", { name: "Host" });
			await host.fill("https://example.com/path");
			await dialog().getByLabel("Token", { exact: true }).fill("secret-of-some-length");
			await button("Save").click();
			await dialog().getByText("contain no allowed host").waitFor();
			await waitForFocus(host.and(page.locator("[aria-invalid=true]")));
			await assertAccessible(page, { within: "dialog" });
			await host.fill("api.example.com");
			assert.equal(await dialog().getByText("contain no allowed host").count(), 0);
			await button("Save").click();
			await statusText("Saved bearer").waitFor();
			await page.getByRole("rowheader", { name: "bearer", exact: true }).waitFor();
		});

		test("shows all types again after a search without results", async () => {
			await open("/credentials?new=");
			const search = searchField("Search by service, type or host");
			await search.fill("zzzzqqqq");
			await dialog().getByRole("button", { name: "Show all" }).click();
			await dialog()
				.getByRole("button", { name: /GitHub token/ })
				.waitFor();
			await waitForFocus(search);
		});

		test("removes an already deleted credential and focuses the next one", async () => {
			for (const name of ["a first", "a second"]) await putCredential(encodeURIComponent(name));
			await open("/credentials");
			await button("Delete a first").click();
			await dialog().getByText("permanently deleted").waitFor();
			await world.api("DELETE", "/gui/credentials/a%20first");
			await dialog().getByRole("button", { name: "Delete" }).click();
			await statusText("Already deleted").waitFor();
			assert.equal(await page.getByRole("rowheader", { name: "a first" }).count(), 0);
			await waitForFocus(button("Replace a second"));
		});

		test("returns the focus to the button that opened a dialog", async () => {
			await open("/credentials");
			for (const name of ["Add credential", "Replace a second", "Delete a second"]) {
				await button(name).click();
				await dialog().waitFor();
				await page.keyboard.press("Escape");
				await waitForFocus(button(name));
			}
		});

		test("focuses the add button after the last credential is deleted", async () => {
			const { credentials } = (await world.api("GET", "/gui/credentials")) as {
				credentials: { name: string }[];
			};
			for (const { name } of credentials.filter(({ name }) => name !== "a second"))
				await world.api("DELETE", `/gui/credentials/${encodeURIComponent(name)}`);
			await open("/credentials");
			await button("Delete a second").click();
			await dialog().getByRole("button", { name: "Delete" }).click();
			await statusText("Deleted a second").waitFor();
			await page.getByText("No credentials yet").waitFor();
			await waitForFocus(button("Add credential"));
		});
	});

	test("logs out and in again in all tabs", async () => {
		page = await world.page({ isLoggedIn: false });
		const logIn = async () => {
			await button("Log in").click();
			await page.getByLabel("Owner secret").fill(OWNER_SECRET);
			await button("Log in").click();
		};
		await open("/workflows");
		await logIn();
		await link("greet").waitFor();
		const other = await page.context().newPage();
		await other.goto(`${world.url}/executions`);
		await other.getByRole("link", { name: /greet/ }).first().waitFor();
		await button("Log out").click();
		await button("Log in").waitFor();
		await other.getByRole("button", { name: "Log in", exact: true }).waitFor();
		assert.equal(await other.getByText("greet").count(), 0);
		assert.equal(await other.getByText("Your session has expired").count(), 0);
		await logIn();
		await link("greet").waitFor();
		await other.getByRole("link", { name: /greet/ }).first().waitFor();
		assert.equal(new URL(other.url()).pathname, "/console/executions");
		await other.close();
	});

	test("revokes the stored token when logging out in a tab with an entered token", async () => {
		const token = await world.issueToken("Of all tabs");
		page = await world.page();
		await open("/workflows");
		await page.evaluate(`localStorage.setItem("tripline.access_token", JSON.stringify("${token}"))`);
		await page.reload();
		const revoked = page.waitForResponse((response) => new URL(response.url()).pathname === "/revoke");
		await button("Log out").click();
		await revoked;
		await button("Log in").waitFor();
		const headers = { authorization: `Bearer ${token}` };
		assert.equal((await fetch(new URL("/gui/session", world.url), { headers })).status, 401);
	});
});
