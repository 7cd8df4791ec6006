import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { ISSUED, KINDS, type Kind, SECRETS, SIGNED_IN, TOKEN_HOST } from "./credential-kinds.ts";
import { one } from "./credential-world.ts";
import { ENCODINGS, findSecret } from "./secret-spellings.ts";
import {
	containsSecret,
	listForeignUrls,
	OTHER,
	OTHERS_SECRET,
	OWNER,
	SHOP,
	type ShopWorld,
	shopWorld,
	WAYS,
} from "./shop-world.ts";
import { tally } from "./tally.ts";

/** What a credential of each kind adds to a call. */
const SENT = { ...SECRETS, oauth: ISSUED, sign_in: SIGNED_IN };

let world: ShopWorld;

before(async () => {
	world = await shopWorld();
});

describe("a credential's value", () => {
	test("is sent to its own hosts, for every kind of credential and every way to use it", async () => {
		const own = [
			`https://${SHOP}/`,
			`https://${SHOP}:8443/v1`,
			"https://eu.cdn.shop.example",
			world.shop.url,
		];
		for (const kind of KINDS) {
			for (const [way, settings] of Object.entries(WAYS)) {
				for (const url of way === "its credential" ? own : [own[0] ?? "", world.shop.url]) {
					const from = world.sent.length;
					const ran = await world.run(settings(kind, url));
					assert.equal(ran.status, 200, `${kind} ${way} ${url}: ${ran.text}`);
					const sent = world.sent.slice(from).filter(({ host }) => host !== TOKEN_HOST);
					const isSigned = kind === "aws" && !/\{/.test(JSON.stringify(settings(kind, url)).slice(1, -1));
					const expected = "credential" in settings(kind, url) ? SENT[kind] : SECRETS[kind];
					assert.equal(sent.length, 1);
					const found = findSecret(Buffer.from(sent[0]?.text ?? ""), expected) !== null;
					assert.equal(found, !isSigned, `${kind} ${way} ${url}: ${sent[0]?.text}`);
				}
			}
		}
	});

	test("is never sent to another host, for any kind of credential or way to use it", async (t) => {
		const urls = listForeignUrls(world);
		await tally(t, "host x kind x way", async (count) => {
			for (const kind of KINDS) {
				for (const [way, settings] of Object.entries(WAYS)) {
					for (const url of way === "its credential" || kind === "bearer" ? urls : urls.slice(0, 3)) {
						const ran = await world.run({ ...settings(kind, url), attempts: 1 });
						count(ran.status !== 200, `${kind} ${way} ${url}: ${ran.text}`);
					}
				}
			}
		});
		assert.equal(world.foreign.received.length, 0);
	});

	test("cannot be used by another tenant, even under the same name", async (t) => {
		await tally(t, "other tenants", async (count) => {
			for (const kind of KINDS.filter((each) => each !== "bearer")) {
				for (const settings of Object.values(WAYS)) {
					for (const url of [`https://${SHOP}/`, "https://evil.example/", world.shop.url]) {
						const ran = await world.runOf(OTHER, one({ ...settings(kind, url), attempts: 1 }));
						count(/there is no credential/.test(ran.text), ran.text);
					}
				}
			}
		});
		for (const settings of Object.values(WAYS)) {
			const from = world.sent.length;
			const ran = await world.runOf(OTHER, one(settings("bearer", "https://evil.example/")));
			assert.equal(ran.status, 200, ran.text);
			const sent = world.sent.slice(from).map(({ text }) => Buffer.from(text));
			assert.equal(sent.length, 1);
			assert.ok(sent.every((text) => findSecret(text, OTHERS_SECRET) !== null));
			assert.ok(sent.every((text) => findSecret(text, SECRETS.bearer) === null));
		}
	});

	test("is not sent along when its host redirects to another", async (t) => {
		const to = [
			...listForeignUrls(world).filter((url) => URL.canParse(url)),
			...Object.keys(ENCODINGS).flatMap((encoding) => [
				`https://evil.example/~${encoding}~`,
				`https://evil.example/?a=~${encoding}~`,
			]),
			"https://~as it is~.evil.example/",
			`http://${SHOP}/?a=~as it is~`,
			`${world.foreign.url}/~base64~`,
		];
		const direct = (way: string, kind: Kind) => (status: number, location: string) =>
			WAYS[way]?.(kind, `${world.shop.url}/redirect/${status}/${encodeURIComponent(location)}`) ?? {};
		const recipe = (operation: string, credential: Kind) => (status: number, location: string) => ({
			component: `shop.${operation}`,
			credential,
			status: String(status),
			to: location,
		});
		const ways: Readonly<Record<string, (status: number, location: string) => object>> = {
			bearer: direct("its credential", "bearer"),
			query: direct("its credential", "query"),
			header: direct("a header", "bearer"),
			body: direct("the body", "bearer"),
			"sign-in": direct("its credential", "sign_in"),
			"a recipe with further hosts": recipe("get", "bearer"),
			"a file of a recipe": recipe("download", "sign_in"),
			"an e-mail of a recipe": recipe("send", "sign_in"),
		};
		const isTriedWithAll = (way: string, status: number) =>
			way === "a recipe with further hosts"
				? status === 302
				: /^(?:bearer|query|header)$/.test(way)
					? status === 302 || status === 308
					: way === "body" && status === 308;
		await tally(t, "redirects", async (count) => {
			for (const status of [301, 302, 303, 307, 308]) {
				for (const [way, settings] of Object.entries(ways)) {
					for (const location of isTriedWithAll(way, status) ? to : to.slice(0, 8)) {
						const from = world.sent.length;
						const node = settings(status, location);
						const ran = await world.run("url" in node ? { ...node, attempts: 1 } : node);
						assert.ok(world.sent.length > from, ran.text);
						const away = world.away(from);
						const carried = away.filter(({ text }) => containsSecret(text));
						count(carried.length === 0, `${status} ${way} ${location}: ${carried[0]?.text}`);
					}
				}
			}
		});
		assert.ok(world.foreign.received.length > 0, "no redirect was followed at all");
		assert.ok(!world.foreign.received.some((each) => containsSecret(JSON.stringify(each))));
		assert.ok(
			world.away().some(({ text }) => /^POST https:\/\/evil\.example\/\n.*\nFrom: /s.test(text)),
			"no e-mail was sent on",
		);
		const within = `${world.shop.url}/redirect/302/${encodeURIComponent(`https://${SHOP}/`)}`;
		const ran = await world.run(WAYS["its credential"]?.("bearer", within) ?? {});
		assert.equal(ran.status, 200, ran.text);
	});

	test("is not sent by pagination to another host or in a link that contains it", async (t) => {
		await tally(t, "links", async (count) => {
			const links = [
				...listForeignUrls(world),
				...Object.keys(ENCODINGS).flatMap((encoding) => [
					`https://evil.example/~${encoding}~`,
					`/items?~${encoding}~`,
				]),
			];
			for (const link of links) {
				for (const credential of ["bearer", "sign_in"]) {
					const from = world.sent.length;
					await world.run({ component: "shop.list", credential, to: link, paginate: "all" });
					const away = world.away(from);
					assert.ok(world.sent.length > from);
					count(!away.some(({ text }) => containsSecret(text)), `a recipe, ${credential} ${link}`);
				}
				for (const way of ["its credential", "a header", "the query"]) {
					const from = world.sent.length;
					const url = `${world.shop.url}/link/${encodeURIComponent(link)}`;
					const settings = WAYS[way]?.("bearer", url) ?? {};
					await world.run({
						...settings,
						paginate: { by: "link", items: "items", max_pages: 3 },
						attempts: 1,
					});
					await world.run({
						...settings,
						paginate: { by: "link", url: "next", items: "items" },
						attempts: 1,
					});
					const away = world.away(from);
					count(!away.some(({ text }) => containsSecret(text)), `${way} ${link}`);
				}
			}
		});
	});

	test("is not sent by a recipe that is made of a description, whatever addresses that has", async (t) => {
		const oauth = (tokenUrl: string) => ({
			type: "oauth2",
			flows: { authorizationCode: { authorizationUrl: tokenUrl, tokenUrl, scopes: {} } },
		});
		const importAndRun = async (server: string, scheme: object) => {
			const description = JSON.stringify({
				openapi: "3.1.0",
				info: { title: "Shop" },
				servers: [{ url: server }],
				security: [{ own: [] }],
				paths: { "/orders": { get: {} } },
				components: { securitySchemes: { own: scheme } },
			});
			const body = { description, id: "imported", operations: ["/orders"], save: true };
			const made = await world.send(OWNER, "POST", "/recipes/from-openapi", body);
			if (made.status !== 200) return [made];
			const node = { component: "imported.get_orders" };
			return [
				await world.run({ ...node, credential: "bearer" }),
				await world.run({ ...node, credential: "sign_in" }),
			];
		};
		await tally(t, "descriptions", async (count) => {
			const bearer = { type: "http", scheme: "bearer" };
			const foreign = listForeignUrls(world);
			for (const url of foreign.filter((_, nth) => nth % 3 === 0 || nth > foreign.length - 8)) {
				const from = world.sent.length;
				const [ran] = await importAndRun(url, bearer);
				count(world.away(from).length === 0, `${url}: ${ran?.text}`);
			}
			// The shop's own host, but tokens from elsewhere: the known recipes are used, with their own token endpoint.
			for (const scheme of [oauth("https://evil.example/token"), bearer]) {
				const from = world.sent.length;
				const [first, second] = await importAndRun(`https://${SHOP}`, scheme);
				count(first?.status === 200 && second?.status === 200, `${first?.text} ${second?.text}`);
				count(world.away(from).length === 0, "something was sent elsewhere");
			}
		});
		assert.ok(!world.foreign.received.some((each) => containsSecret(JSON.stringify(each))));
	});

	test("is in no file, log line, answer or request to a foreign host", (t) => world.finish(t));
});
