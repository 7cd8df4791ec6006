import type { Command } from "../command.ts";

export const questionsCommand: Command = {
	name: "questions",
	about: "list what runs ask people, the latest first",
	positionals: [],
	flags: [],
	examples: [{ line: "tripline questions", about: "whom, until when, and the ids for tripline answer" }],
	details: "--json also prints the fields of each answer. Times are in UTC.",
	load: async () => ({ run: (await import("../questions/questions.ts")).list }),
};

export const answerCommand: Command = {
	name: "answer",
	about: "answer a question of a run",
	positionals: [
		{ name: "execution", about: "the run that asks" },
		{ name: "question", about: "the question's id" },
	],
	flags: [
		{ name: "field", value: "name=value", about: "a field of the answer", isMany: true },
		{ name: "json-answer", value: "json", about: "the whole answer: a JSON object" },
	],
	examples: [
		{ line: "tripline answer 0193… 3f2a… --field approved=true", about: "its run goes on with the answer" },
	],
	details:
		"A value is read as JSON where the field is no text. Without fields they are asked for at a terminal.",
	load: async () => ({ run: (await import("../questions/questions.ts")).answer }),
};
