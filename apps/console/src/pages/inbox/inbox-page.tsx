import { useState } from "react";
import { api } from "../../api/api.ts";
import { noteAnswer, QUESTIONS_KEY } from "../../api/questions.ts";
import type { OpenQuestion } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Empty } from "../../ui/empty.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { toast } from "../../ui/toasts.tsx";
import { QuestionCard } from "./question-card.tsx";
import { INBOX } from "./texts.ts";

const POLL_MS = 5000;
const buildKey = ({ execution_id, id }: OpenQuestion): string => `${execution_id} ${id}`;

export default function InboxPage() {
	const text = useTexts(INBOX);
	const [search] = useSearch();
	const run = search.get("run");
	/** A poll would drop the pages that were loaded after the first one. */
	const [isPaged, setPaged] = useState(false);
	const open = useQuery(
		QUESTIONS_KEY,
		(signal) => api.questions.list(undefined, signal),
		isPaged ? {} : { everyMs: POLL_MS },
	);
	/** Stays while its form is open, also if it is no longer listed. */
	const [chosen, setChosen] = useState<OpenQuestion | null>(null);
	const [endedKey, setEndedKey] = useState<string | null>(null);
	const more = useAction(async () => {
		const next = await api.questions.list(open.data?.next_cursor ?? undefined);
		setPaged(true);
		open.set({ ...next, questions: [...(open.data?.questions ?? []), ...next.questions] });
	});
	return (
		<Page title={text.title} lead={text.lead}>
			<Loaded query={open} lines={4}>
				{({ questions, next_cursor }) => {
					const isListed = questions.some((each) => chosen !== null && buildKey(each) === buildKey(chosen));
					const shown = chosen === null || isListed ? questions : [chosen, ...questions];
					const isOfRun = ({ execution_id }: OpenQuestion) => chosen === null && execution_id === run;
					return (
						<>
							{shown.length > 0 && (
								<ul className="questions">
									{shown.map((each) => {
										const key = buildKey(each);
										const isChosen = chosen !== null && key === buildKey(chosen);
										return (
											<QuestionCard
												key={key}
												question={each}
												isChosen={isChosen || isOfRun(each)}
												hasEnded={key === endedKey || (isChosen && !isListed)}
												onChoose={() => setChosen(each)}
												onAnswered={() => {
													remove(each);
													toast(text.sent);
												}}
												onEnded={() => {
													setChosen(each);
													setEndedKey(key);
													noteAnswer();
												}}
												onRemove={() => remove(each)}
											/>
										);
									})}
								</ul>
							)}
							{shown.length === 0 && next_cursor === null && (
								<Empty icon="inbox" title={text.emptyTitle}>
									{text.emptyText}
								</Empty>
							)}
							{next_cursor !== null && <LoadMore more={more} />}
						</>
					);
				}}
			</Loaded>
		</Page>
	);

	function remove(question: OpenQuestion): void {
		setChosen(null);
		const now = open.data;
		const isOther = (each: OpenQuestion) => buildKey(each) !== buildKey(question);
		if (now !== undefined) open.set({ ...now, questions: now.questions.filter(isOther) });
		noteAnswer();
		document.getElementById("content")?.focus({ preventScroll: true });
	}
}
