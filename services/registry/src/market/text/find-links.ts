import { list, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, params } from "../schema.ts";

export const findLinks = code({
	id: "find_links",
	title: "Find links and addresses",
	description: `Finds the web addresses, mail addresses, hashtags and mentions in plain text, each once, in the order in which they come.

Use it on chat messages, mails and posts. Punctuation after an address is left out, and a closing bracket too unless the address has the opening one. Of HTML use \`parse\`, which knows the links of a page.`,
	tags: ["text", "url", "mail"],
	params: params({ text: text("The text", { maxLength: 500_000 }) }, ["text"]),
	output: object(
		{
			urls: list({ type: "string" }, "Addresses with http or https"),
			emails: list({ type: "string" }, "Mail addresses, in small letters"),
			hashtags: list({ type: "string" }, "Without #"),
			mentions: list({ type: "string" }, "Without @"),
		},
		"What was found",
	),
	code: String.raw`
const all = (regex, text) => [...text.matchAll(regex)].map(([found]) => found);
const unique = (values) => [...new Set(values)];
const urls = all(/https?:\/\/[^\s<>"\x60{}|\\^]+/gi, input.text).map(withoutEnd);
// What stands in an address is neither a mail address nor a tag.
const rest = input.text.replace(/https?:\/\/[^\s<>"\x60{}|\\^]+/gi, " ");
const MAIL = /(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const emails = all(MAIL, rest).map((mail) => mail.toLowerCase());
const words = rest.replace(MAIL, " ");
return {
	urls: unique(urls.filter((url) => url.length > 8)),
	emails: unique(emails),
	hashtags: unique(all(/(?<![\w&#/])#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/gu, words).map((tag) => tag.slice(1))),
	mentions: unique(all(/(?<![\w@/.])@\w[\w.-]*/g, words).map((name) => name.slice(1).replace(/[.-]+$/, ""))),
};

function withoutEnd(url) {
	let open = url.split("(").length - url.split(")").length;
	let end = url.length;
	for (; end > 0; end--) {
		const last = url[end - 1];
		if (last === ")" ? open >= 0 : !".,;:!?'\"]*_".includes(last)) break;
		if (last === ")") open++;
	}
	return url.slice(0, end);
}
`,
	examples: [
		{
			title: "A chat message",
			params: {
				text: "See https://example.com/a?b=1#c, (https://en.wikipedia.org/wiki/Tea_(meal)) or ask Ada.L@Example.com. #launch @bob!",
			},
			output: {
				urls: ["https://example.com/a?b=1#c", "https://en.wikipedia.org/wiki/Tea_(meal)"],
				emails: ["ada.l@example.com"],
				hashtags: ["launch"],
				mentions: ["bob"],
			},
		},
		{
			title: "Each once; numbers are no hashtags",
			params: { text: "http://a.example http://a.example #1 #größe x@y" },
			output: { urls: ["http://a.example"], emails: [], hashtags: ["größe"], mentions: [] },
		},
		{
			title: "Nothing to find",
			params: { text: "" },
			output: { urls: [], emails: [], hashtags: [], mentions: [] },
		},
	],
});
