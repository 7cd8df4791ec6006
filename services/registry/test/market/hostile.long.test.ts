import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { market } from "../../src/market/market.ts";
import { runComponent } from "./run-component.ts";

/** Builds the parameters of each component that takes untrusted text. */
const PARAMS_BY_COMPONENT: Record<string, (text: string) => Parameters<typeof runComponent>[1]> = {
	chunk_text: (text) => ({ text }),
	feed_read: (text) => ({
		feed: { rss: { channel: { title: text, item: { title: "a", description: text } } } },
	}),
	find_links: (text) => ({ text }),
	ical_parse: (text) => ({ text: `BEGIN:VCALENDAR\n${text}` }),
	json_from_text: (text) => ({ text }),
	markdown_to_html: (text) => ({ markdown: text }),
	redact_personal_data: (text) => ({ text }),
	text_diff: (text) => ({ before: text, after: `${text}x` }),
};

const REPEATED = [
	..."a1 \n<&*_[({|\\`~#@'\"é",
	"a.b@",
	"http://",
	"[a](",
	"<p ",
	"&#",
	"{]",
	"[1,",
	'{"',
	"/*",
	"1.1.1.",
	"AB12 ",
	"_a ",
	"> ",
	"- a\n",
	"  - a\n",
	"|a|\n|-|\n",
	"BEGIN:VEVENT\n",
	'A;B="',
	"\u{1F375}",
];

describe("text designed to take very long", () => {
	for (const [id, buildParams] of Object.entries(PARAMS_BY_COMPONENT)) {
		test(`${id} ends in time, or reports what is wrong`, async () => {
			for (const part of REPEATED) {
				const text = part.repeat(Math.floor(30_000 / part.length));
				const outcome = await runComponent(id, buildParams(text)).then(
					() => "",
					(error: Error) => error.message,
				);
				assert.doesNotMatch(
					outcome,
					/longer than|memory|stack|null|undefined/,
					`${id}: ${JSON.stringify(part)}`,
				);
			}
		});
	}

	test("is tested on every component that takes a long text", () => {
		const takers = market.flatMap((manifest) => {
			if (manifest.kind !== "code") return [];
			const properties = Object.values(manifest.params.properties as Record<string, { maxLength?: number }>);
			return properties.some(({ maxLength = 0 }) => maxLength >= 50_000) ? [manifest.id] : [];
		});
		assert.deepEqual(
			takers.filter((id) => !(id in PARAMS_BY_COMPONENT) && id !== "jwt_decode"),
			[],
		);
	});
});
