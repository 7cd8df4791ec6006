import { api } from "../../api/api.ts";
import { QUESTIONS_KEY } from "../../api/questions.ts";
import { useQuery } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Prose } from "../../ui/prose.tsx";
import { INBOX } from "./texts.ts";

/** The question that a run waits for, if it is among the latest ones. */
export function RunQuestion({ execution }: { readonly execution: string }) {
	const text = useTexts(INBOX);
	const { data } = useQuery(QUESTIONS_KEY, (signal) => api.questions.list(undefined, signal));
	const question = data?.questions.find(({ execution_id }) => execution_id === execution);
	if (question === undefined) return null;
	return (
		<section className="detail-part run-question">
			<h3>{text.waits}</h3>
			<Prose of={question.question} />
			<ButtonLink to={`/inbox?${new URLSearchParams({ run: execution })}`} icon="inbox">
				{text.toInbox}
			</ButtonLink>
		</section>
	);
}
