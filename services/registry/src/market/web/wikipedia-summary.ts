import { choice, text } from "@tripline/components/schema-words";
import { code } from "../manifest.ts";
import { object, orNull, params } from "../schema.ts";

export const wikipediaSummary = code({
	id: "wikipedia_summary",
	title: "Summary of a Wikipedia article",
	description: `The first paragraph of a Wikipedia article in any language, with its short description, its address and a picture.

Use it to tell people or a language model what something is. Redirects are followed. If the title has several meanings \`type\` is \`disambiguation\` and the text says which; take a more exact title then. The texts are under CC BY-SA 4.0: name Wikipedia and link to the article where you show them.`,
	tags: ["wikipedia", "knowledge", "api"],
	hosts: ["*.wikipedia.org"],
	params: params(
		{
			title: text("The article's title", { minLength: 1, maxLength: 255 }),
			language: text("Code of the language, such as en, de or zh-yue", { default: "en", maxLength: 16 }),
		},
		["title"],
	),
	output: object(
		{
			title: text("The article's title"),
			type: choice(["standard", "disambiguation", "other"], "Whether it is an article or a list of meanings"),
			description: orNull(text("In a few words")),
			summary: text("The first paragraph"),
			url: text("The article's address"),
			image: orNull(text("Address of a small picture")),
		},
		"The summary",
	),
	code: String.raw`
if (!/^[a-z]{2,12}(?:-[a-z]{2,8})?$/.test(input.language)) throw new Error("language must be a code such as en, de or zh-yue");
const title = input.title.trim().replaceAll(" ", "_");
if (title === "" || /[#<>[\]{}|\n]/.test(title)) throw new Error("title has characters that no article has: # < > [ ] { } |");
const { status, data } = await http({
	method: "GET",
	url: "https://" + input.language + ".wikipedia.org/api/rest_v1/page/summary/" + encodeURIComponent(title.toWellFormed()),
});
if (status === 404) throw new Error("there is no article named " + input.title.trim() + " in the Wikipedia of " + input.language);
if (status !== 200) throw new Error("Wikipedia answered " + status);
return {
	title: data.title,
	type: ["standard", "disambiguation"].includes(data.type) ? data.type : "other",
	description: data.description ?? null,
	summary: data.extract ?? "",
	url: data.content_urls?.desktop?.page ?? "https://" + input.language + ".wikipedia.org/wiki/" + encodeURIComponent(title),
	image: data.thumbnail?.source ?? null,
};
`,
	examples: [
		{
			title: "What something is",
			params: { title: "Oolong tea" },
			http: [
				{
					request: {
						method: "GET",
						url: "https://en.wikipedia.org/api/rest_v1/page/summary/Oolong_tea",
					},
					response: {
						status: 200,
						data: {
							type: "standard",
							title: "Oolong",
							description: "Traditional Chinese tea",
							extract: "Oolong is a traditional semi-oxidized Chinese tea.",
							content_urls: { desktop: { page: "https://en.wikipedia.org/wiki/Oolong" } },
						},
					},
				},
			],
			output: {
				title: "Oolong",
				type: "standard",
				description: "Traditional Chinese tea",
				summary: "Oolong is a traditional semi-oxidized Chinese tea.",
				url: "https://en.wikipedia.org/wiki/Oolong",
				image: null,
			},
		},
		{
			title: "In another language, with several meanings",
			params: { title: "Größe/Maß", language: "de" },
			http: [
				{
					request: {
						method: "GET",
						url: "https://de.wikipedia.org/api/rest_v1/page/summary/Gr%C3%B6%C3%9Fe%2FMa%C3%9F",
					},
					response: {
						status: 200,
						data: {
							type: "disambiguation",
							title: "Größe",
							extract: "Größe steht für:",
							thumbnail: { source: "https://upload.wikimedia.org/a.png", width: 320, height: 200 },
							content_urls: { desktop: { page: "https://de.wikipedia.org/wiki/Gr%C3%B6%C3%9Fe" } },
						},
					},
				},
			],
			output: {
				title: "Größe",
				type: "disambiguation",
				description: null,
				summary: "Größe steht für:",
				url: "https://de.wikipedia.org/wiki/Gr%C3%B6%C3%9Fe",
				image: "https://upload.wikimedia.org/a.png",
			},
		},
		{
			title: "No such article",
			params: { title: "Qwxzv" },
			http: [
				{
					request: { method: "GET", url: "https://en.wikipedia.org/api/rest_v1/page/summary/Qwxzv" },
					response: { status: 404, data: { title: "Not found.", type: "Internal error" } },
				},
			],
			error: "there is no article named Qwxzv in the Wikipedia of en",
		},
		{
			title: "A language that would be another host",
			params: { title: "Tea", language: "evil.example/" },
			error: "language must be a code such as en, de or zh-yue",
		},
	],
});
