import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { platforms, type Target } from "./conformance/platforms.ts";
import { listFiles, runExamples, whyNotHere } from "./examples.ts";

const folder = fileURLToPath(new URL("../docs/cookbook/", import.meta.url));
const pages = globSync("*.md", { cwd: folder })
	.filter((page) => page !== "README.md")
	.sort();
const read = (page: string) => readFileSync(folder + page, "utf8");

test("the index of the cookbook lists exactly the existing recipes", () => {
	const links = [...read("README.md").matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page]) => page);
	assert.deepEqual(links.sort(), pages);
});

for (const platform of platforms) {
	describe(`the cookbook and the language page on ${platform.name}`, () => {
		let service: Target;
		before(async () => {
			service = await platform.start({});
			await fetch(`${service.publicUrl}/init/seed`, { method: "POST" });
		});
		after(() => service.close());

		for (const page of [...pages, "../language.md"]) {
			const skip = whyNotHere(read(page));
			test(`${basename(page, ".md")} works from top to bottom`, { skip }, () =>
				runExamples(read(page), service),
			);
		}

		test("the daily digest runs at eight in its time zone, and not before", async () => {
			// First a Sunday, when the page's own workflow catches up, then a Monday in winter.
			await service.setNow(Date.parse("2099-01-11T12:00:00Z"));
			await service.tick();
			await saveDigest(service);
			await putTask(service, "Call the bank");
			await service.setNow(Date.parse("2099-01-12T06:59:00Z"));
			assert.deepEqual(await tick(service), "cron: scanned=5 triggered=0");
			await service.setNow(Date.parse("2099-01-12T07:00:30Z"));
			assert.deepEqual(await tick(service), "cron: scanned=5 triggered=2");
			assert.deepEqual(await waitForItems(() => listDigests(service)), [
				{ page_name: "2099-01-12", content: "1 open tasks\n- Call the bank" },
			]);
		});
	});
}

/** Uses its own namespace, so that it contains no entries of the pages. */
const NAMESPACE = "by-the-clock";

async function saveDigest(service: Target): Promise<void> {
	const response = await fetch(`${service.publicUrl}/workflows`, {
		method: "POST",
		headers: { "x-service-api-key": NAMESPACE, "content-type": "application/yaml" },
		body: listFiles(read("daily-digest.md")).get("daily-digest.yaml") ?? "",
	});
	assert.equal(response.status, 201, await response.text());
}

/** Ticks and returns the log message. */
async function tick(service: Target): Promise<string | undefined> {
	await service.lines();
	await service.tick();
	return (await service.lines()).map(({ message }) => message).find((message) => message.startsWith("cron:"));
}

async function putTask(service: Target, page_name: string): Promise<void> {
	const body = JSON.stringify({ owner_id: NAMESPACE, entry_type: "task", page_name, content: "open" });
	const response = await fetch(`${service.storeUrl}/entries`, { method: "PUT", body });
	assert.equal(response.status, 201, await response.text());
}

async function listDigests(service: Target): Promise<{ page_name: string; content: string }[]> {
	const response = await fetch(`${service.storeUrl}/entries?owner_id=${NAMESPACE}&entry_type=digest`);
	const { entries } = (await response.json()) as { entries: { page_name: string; content: string }[] };
	return entries.map(({ page_name, content }) => ({ page_name, content }));
}

/** Waits until there is a result. */
async function waitForItems<T>(look: () => Promise<T[]>): Promise<T[]> {
	for (let tries = 0; ; tries++) {
		const found = await look();
		if (found.length > 0 || tries === 100) return found;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}
