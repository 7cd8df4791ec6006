import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { Download, Page } from "playwright-core";
import { assertFits } from "./checks.ts";
import { NO_BROWSER } from "./chromium.ts";
import { locators } from "./locators.ts";
import { ATTACH, GREETING, PIXEL, saveWorkflow } from "./seed.ts";
import { assertAccessible, browserWorld } from "./world.ts";

const HOSTILE = `<html><body onload="top.hacked = true"><script>top.hacked = true</script>
<img src=x onerror="top.hacked = true"><h1>Hello</h1></body></html>`;
const HOSTILE_SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="top.hacked = true"><script>top.hacked = true</script></svg>`;

describe("files", { skip: NO_BROWSER }, () => {
	const world = browserWorld();
	let page: Page;
	before(async () => {
		page = await world.page();
		await saveWorkflow(world, ATTACH);
		await saveWorkflow(world, GREETING);
	});

	const open = (path: string) => page.goto(world.url + path);
	const { button, field, statusText, dialog, alert, editor } = locators(() => page);
	const row = (name: string) => page.getByRole("row", { name });
	const readDownload = async (download: Download) => readFileSync(await download.path(), "utf8");

	async function download(act: () => Promise<void>): Promise<{ name: string; text: string }> {
		const [started] = await Promise.all([page.context().waitForEvent("download"), act()]);
		return { name: started.suggestedFilename(), text: await readDownload(started) };
	}

	test("are uploaded, shown, downloaded and deleted on their page", async () => {
		await open("/files");
		await page.getByText("No files yet").waitFor();
		await page.getByLabel("Choose files to upload").setInputFiles([
			{ name: "訂單.csv", mimeType: "text/csv", buffer: Buffer.from("item,count\ngear,3\n") },
			{ name: "photo.png", mimeType: "image/png", buffer: Buffer.from(PIXEL) },
		]);
		await statusText("Uploaded 2 files").waitFor();
		await row("訂單.csv").getByText("18 B").waitFor();
		await button("Preview photo.png").click();
		const image = dialog().getByRole("img", { name: "photo.png" });
		await image.waitFor();
		assert.deepEqual(
			await image.evaluate((shown: { naturalWidth: number; src: string }) => [
				shown.naturalWidth,
				shown.src.slice(0, 15),
			]),
			[1, "data:image/png;"],
		);
		await page.keyboard.press("Escape");
		const { name, text } = await download(() => button("Download 訂單.csv").click());
		assert.deepEqual([name, text], ["訂單.csv", "item,count\ngear,3\n"]);
		assert.equal(new URL(page.url()).pathname, "/console/files");
		await button("Delete 訂單.csv").click();
		await dialog().getByRole("button", { name: "Cancel" }).click();
		await row("訂單.csv").waitFor();
		await button("Delete 訂單.csv").click();
		await dialog().getByRole("button", { name: "Delete", exact: true }).click();
		await statusText("Deleted 訂單.csv").waitFor();
		await row("訂單.csv").waitFor({ state: "detached" });
	});

	test("with pages and drawings are shown as their text, and nothing in them runs", async () => {
		await world.upload("page.html", "text/html", HOSTILE);
		await world.upload("drawing.svg", "image/svg+xml", HOSTILE_SVG);
		await world.upload("false.png", "image/png", HOSTILE_SVG);
		await open("/files");
		await button("Preview page.html").click();
		await dialog().getByText("<h1>Hello</h1>").waitFor();
		await page.keyboard.press("Escape");
		await button("Preview drawing.svg").click();
		await dialog().getByText("<script>").waitFor();
		await page.keyboard.press("Escape");
		await button("Preview false.png").click();
		await dialog().getByText("This is not an image that can be shown.").waitFor();
		await page.keyboard.press("Escape");
		assert.equal(await page.evaluate("window.hacked"), undefined);
		assert.equal(page.frames().length, 1);
		const { name, text } = await download(() => button("Download page.html").click());
		assert.deepEqual([name, text], ["page.html", HOSTILE]);
		assert.equal(page.context().pages().length, 1);
	});

	test("with long texts are shown from their beginning", async () => {
		await world.upload("long.txt", "text/plain", `begin ${"x".repeat(300_000)} end`);
		await open("/files");
		await button("Preview long.txt").click();
		await dialog().getByText("The first 262.1 kB of 300 kB. Download the file to see all of it.").waitFor();
		assert.equal(await dialog().getByText("begin x").count(), 1);
	});

	test("are chosen for the input of a run, and shown in its result", async () => {
		await open("/workflows/attach");
		const report = page.getByRole("group", { name: "Report" });
		const photos = page.getByRole("group", { name: "photos" });
		assert.equal(await report.locator("input").getAttribute("accept"), ".csv,text/plain");
		await report
			.locator("input")
			.setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("a,b") });
		await report.getByText("a.csv").waitFor();
		await photos
			.locator("input")
			.setInputFiles(
				["1.png", "2.png"].map((name) => ({ name, mimeType: "image/png", buffer: Buffer.from(PIXEL) })),
			);
		await photos.getByText("2.png").waitFor();
		await photos.getByRole("button", { name: "Remove 1.png" }).click();
		await button("Fill in an example").click();
		const input = JSON.parse(await field("Input (JSON)").inputValue()) as Record<string, unknown>;
		assert.deepEqual(Object.keys(input).sort(), ["name", "photos", "report"]);
		assert.deepEqual(
			(input.photos as { name: string }[]).map(({ name }) => name),
			["2.png"],
		);
		await button("Run").click();
		await page.getByText(/^Succeeded in /).waitFor();
		const result = page.locator(".json-tree");
		await result.getByText("a.csv").waitFor();
		await result.getByText("text/csv, 3 B").waitFor();
		await assertAccessible(page, { within: "main" });
		for (const width of [1280, 360]) await assertFits(page, width);
		await page.setViewportSize({ width: 1280, height: 860 });
		await result.getByRole("button", { name: "Preview a.csv" }).click();
		await dialog().getByText("a,b").waitFor();
		await assertAccessible(page, { within: "dialog" });
		await page.keyboard.press("Escape");
		const { text } = await download(() => result.getByRole("button", { name: "Download a.csv" }).click());
		assert.equal(text, "a,b");
	});

	test("of a made-up or expired value are said to be gone", async () => {
		const value = { $file: "A".repeat(22), name: "gone.txt", type: "text/plain", size: 3 };
		await open("/workflows/greet");
		await field("Input (JSON)").fill(JSON.stringify({ name: "Ada", value }));
		const list = page.getByRole("list", { name: "Files in the input" });
		await list.getByText("gone.txt").waitFor();
		await list.getByRole("button", { name: "Preview gone.txt" }).click();
		await dialog().getByText("This file does not exist or has expired.").waitFor();
		await page.keyboard.press("Escape");
		await list.getByRole("button", { name: "Download gone.txt" }).click();
		await statusText("This file does not exist or has expired.").waitFor();
	});

	test("that are refused are reported, and the input stays as it was", async () => {
		await open("/workflows/attach");
		await page.route("**/gui/files?**", (route) =>
			route.fulfill({ status: 413, json: { error: "the file is larger than 104857600 bytes" } }),
		);
		const report = page.getByRole("group", { name: "Report" });
		const before = await field("Input (JSON)").inputValue();
		await report
			.locator("input")
			.setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("a") });
		await alert().getByText("the file is larger than 104857600 bytes").waitFor();
		assert.equal(await field("Input (JSON)").inputValue(), before);
		await page.unroute("**/gui/files?**");
	});

	describe("of an executor at another address", () => {
		const elsewhere = createServer((_request, response) =>
			response
				.writeHead(200, {
					"content-type": "text/html",
					"content-disposition": 'attachment; filename="far.html"',
				})
				.end(HOSTILE),
		);
		before(async () => {
			elsewhere.listen(0, "127.0.0.1");
			await once(elsewhere, "listening");
		});
		after(() => elsewhere.close());

		test("are downloaded without leaving the page, also with unsaved work", async () => {
			const { port } = elsewhere.address() as AddressInfo;
			await page.route("**/gui/files/*/link", (route) =>
				route.fulfill({
					json: { url: `http://127.0.0.1:${port}/files/x/content`, expires_at: "2030-01-01T00:00:00.000Z" },
				}),
			);
			const $file = await world.upload("far.html", "text/html", HOSTILE);
			await open("/new-workflow");
			await editor().click();
			await page.keyboard.insertText("# unsaved\n");
			await page.getByText("Unsaved changes", { exact: true }).waitFor();
			const value = { $file, name: "far.html", type: "text/html", size: HOSTILE.length };
			await field("Input (JSON)").fill(JSON.stringify({ value }));
			const asked: string[] = [];
			page.on("dialog", (each) => {
				asked.push(each.type());
				void each.dismiss();
			});
			const { name, text } = await download(() => button("Download far.html").click());
			assert.deepEqual([name, text], ["far.html", HOSTILE]);
			assert.deepEqual(asked, []);
			assert.equal(new URL(page.url()).pathname, "/console/new-workflow");
			assert.match(await editor().innerText(), /# unsaved/);
			await page.unroute("**/gui/files/*/link");
		});
	});
});
