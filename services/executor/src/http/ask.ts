import { Failed, type Failure, notFound } from "@tripline/contract/failures";
import { Id, Namespace } from "@tripline/contract/names";
import { identifyCaller } from "@tripline/platform/addresses";
import { type Clock, unixSeconds } from "@tripline/platform/clock";
import type { Turns } from "@tripline/platform/turns";
import { readBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import { type Route, route } from "@tripline/web/route";
import * as z from "zod";
import { renderFailure } from "../forms/answers.ts";
import { isSentByForeignPage } from "../forms/foreign.ts";
import { chooseLanguage, type Language } from "../forms/languages.ts";
import { parseForm } from "../forms/parse.ts";
import { listProblems } from "../forms/problems.ts";
import { renderQuestion, renderQuestionPage } from "../forms/question.ts";
import { readFormInput } from "../forms/read.ts";
import { renderForm } from "../forms/render.ts";
import type { Questions } from "../waits/questions.ts";
import type { Asked, Waits } from "../waits/waits.ts";
import { readFields } from "./bodies/read-input.ts";
import type { RateLimit } from "./rate-limit.ts";

export interface AskDeps {
	readonly clock: Clock;
	readonly turns: Turns;
	readonly waits: Pick<Waits, "findByToken">;
	readonly questions: Pick<Questions, "check" | "answer">;
	/** Of posts, by the sender's address. */
	readonly formRate: RateLimit;
	/** The service's public origin, or that of the request. */
	getOrigin(request: Incoming): string;
	/** Maps an error of a dependency to a failure for the caller; null if the error is unexpected. */
	toFailure(error: unknown): Failure | null;
}

const MAX_ANSWER_BYTES = 256 * 1024;

const tag = "Questions";
const Address = z.object({ namespace: Namespace, run: Id, token: z.string().max(128) });
/** Any other address is one that is not found. */
const params = z.object({ namespace: z.string(), run: z.string(), token: z.string() });
type GivenAddress = z.output<typeof params>;
const content = { "text/html": z.string() };
const responses = {
	200: { description: "A page", content },
	404: { description: "There is no such question", content },
	410: { description: "It was answered or withdrawn, or has expired", content },
} as const;

/** The pages of questions. Whoever has the address may answer. */
export function askRoutes<Caller>(deps: AskDeps): Route<Caller>[] {
	const path = "/ask/{namespace}/{run}/{token}";
	return [
		route({
			method: "GET",
			path,
			tag,
			open: true,
			summary: "Open a question",
			description: "Changes nothing, however often it is opened.",
			params,
			headers: { "Accept-Language": "zh for a page in Traditional Chinese; default English" },
			responses,
			handle: ({ params, request }) =>
				answer(request, async (language) => {
					const found = await find(params);
					return found.asked.state === "open"
						? renderOpen(found.asked, language)
						: renderQuestionPage(found.asked.state, language);
				}),
		}),

		route({
			method: "POST",
			path,
			tag,
			open: true,
			summary: "Answer a question",
			description: "The first answer counts.",
			params,
			accepts: { "application/x-www-form-urlencoded": z.record(z.string(), z.string()) },
			responses: {
				...responses,
				403: { description: "Sent by a page of another origin", content },
				422: { description: "The form with a message beside each field that is not valid", content },
				429: { description: "Too many answers from this address; see Retry-After", content },
			},
			handle: ({ params, request }) => answer(request, (language) => submit(request, params, language)),
		}),
	];

	async function submit(request: Incoming, address: GivenAddress, language: Language): Promise<Response> {
		if (isSentByForeignPage(request.headers, deps.getOrigin(request)))
			throw new Failed({ kind: "forbidden", message: "sent by a page of another origin" });
		const wait = deps.formRate.take(identifyCaller(request.address));
		if (wait !== null)
			throw new Failed({ kind: "too_many", message: "too many answers", retryAfterSeconds: wait });
		const { id, asked } = await find(address);
		if (asked.state !== "open") return renderQuestionPage(asked.state, language);
		const { namespace, run } = address;
		const bytes = await readBody(request, MAX_ANSWER_BYTES);
		const model = parseForm(asked.question.fields);
		if ("problem" in model) throw notFound();
		const filled = await deps.turns.run(namespace, () =>
			readFields({ contentType: request.headers.get("content-type"), bytes }),
		);
		const { input, problems, isTrapped } = await deps.turns.run(namespace, () =>
			readFormInput(model, filled),
		);
		if (isTrapped) return renderQuestionPage("thanks", language);
		const issues = await deps.questions.check(namespace, asked.question.fields, input);
		const found = listProblems(model, problems, issues, language);
		if (found.length > 0) return renderOpen(asked, language, { filled, problems: found });
		const isFirst = await deps.questions.answer({ owner_id: namespace, run, id }, input, BY_LINK);
		if (isFirst) return renderQuestionPage("thanks", language);
		const { asked: now } = await find(address);
		return renderQuestionPage(now.state === "open" ? "expired" : now.state, language);
	}

	/** One whose time is over has expired, also before its run notices. */
	async function find(given: GivenAddress): Promise<{ readonly id: string; readonly asked: Asked }> {
		const { data: address } = Address.safeParse(given);
		if (address === undefined) throw notFound();
		const { namespace, run, token } = address;
		const found = await deps.waits.findByToken({ owner_id: namespace, run }, token);
		if (found === null) throw notFound();
		const { asked } = found;
		const isOver = asked.state === "open" && asked.expiresAt <= unixSeconds(deps.clock);
		return isOver ? { ...found, asked: { ...asked, state: "expired" } } : found;
	}

	function renderOpen(
		{ question }: Asked,
		language: Language,
		rejected?: Parameters<typeof renderForm>[0]["rejected"],
	): Response {
		const model = parseForm(question.fields);
		if ("problem" in model) throw notFound();
		return renderForm({
			model,
			form: {},
			workflow: question.workflow,
			language,
			introduction: renderQuestion(question.question, question.show),
			isOwn: true,
			maxFilesBytes: 0,
			...(rejected !== undefined && { rejected }),
		});
	}

	/** Refusals are pages too. */
	async function answer(
		request: Incoming,
		handle: (language: Language) => Promise<Response>,
	): Promise<Response> {
		const language = chooseLanguage(request.headers.get("accept-language"));
		try {
			return await handle(language);
		} catch (error) {
			const failure = error instanceof Failed ? error.failure : deps.toFailure(error);
			if (failure === null) throw error;
			return renderFailure(failure, language);
		}
	}
}

const BY_LINK = "the link";
