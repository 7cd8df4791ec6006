import type { Page } from "playwright-core";

const TAGS = ["orders", "customers", "products", "invoices"];

/** An OpenAPI description of a shop with this many operations. The first one has what a recipe cannot express. */
export function buildDescription(count: number): object {
	const paths = Object.fromEntries(
		Array.from({ length: count }, (_, index) => [
			`/things/${index}/{id}`,
			{
				get: {
					operationId: `readThing${index}`,
					summary: `Read thing number ${index}`,
					tags: [TAGS[index % TAGS.length]],
					parameters: [
						{ name: "id", in: "path", required: true, schema: { type: "string" } },
						...(index === 0 ? [{ name: "session", in: "cookie", schema: { type: "string" } }] : []),
					],
					responses: { 200: { description: "The thing" } },
				},
			},
		]),
	);
	return {
		openapi: "3.0.3",
		info: { title: "Shop API", version: "1", description: "Orders and products of a shop." },
		servers: [{ url: "https://shop.example/v1" }],
		components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
		security: [{ key: [] }],
		paths,
	};
}

/** Chooses a description as a file and lists its operations. */
export async function chooseDescription(page: Page, description: object): Promise<void> {
	await page.getByRole("radio", { name: "a file" }).check();
	await page.locator("input[type=file]").setInputFiles({
		name: "openapi.json",
		mimeType: "application/json",
		buffer: Buffer.from(JSON.stringify(description)),
	});
	await page.getByRole("button", { name: "List operations" }).click();
	await page.getByRole("region", { name: "Operations of Shop API" }).first().waitFor();
}
