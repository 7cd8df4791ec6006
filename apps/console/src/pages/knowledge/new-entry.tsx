import { useEffect, useState } from "react";
import { api } from "../../api/api.ts";
import { ApiProblem } from "../../api/call.ts";
import type { Entry } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { navigate, useLeaveGuard } from "../../router.tsx";
import { useKeptWork } from "../../session/unsaved-work.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Field } from "../../ui/field.tsx";
import { focusOnMount } from "../../ui/focus.ts";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toasts.tsx";
import { EntryFields } from "./entry-fields.tsx";
import { parseMetadata } from "./metadata.ts";
import { KNOWLEDGE } from "./texts.ts";

interface Props {
	readonly types: readonly string[];
	readonly type: string;
	pathTo(id: string): string;
	onCreated(): void;
	onCancel(): void;
}

const TYPE = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const INGESTED = ["entity", "triplet"];

export function NewEntry({ types, type: first, pathTo, onCreated, onCancel }: Props) {
	const text = useTexts(KNOWLEDGE);
	const common = useTexts(COMMON);
	const [type, setType] = useState(first === "" || INGESTED.includes(first) ? "note" : first);
	const [page, setPage] = useState("");
	const [content, setContent] = useState("");
	const [metadata, setMetadata] = useState("{}");
	const [isTried, setTried] = useState(false);
	const [created, setCreated] = useState<Entry | null>(null);
	const isTyped = page !== "" || content !== "" || metadata !== "{}";
	useLeaveGuard(isTyped && created === null, text.leaveQuestion);
	useKeptWork("new entry", isTyped ? { type, page, content, metadata } : null, (work) => {
		setType(work.type);
		setPage(work.page);
		setContent(work.content);
		setMetadata(work.metadata);
	});
	const creation = useAction(async () =>
		setCreated(
			await api.entries.create({
				entry_type: type,
				page_name: page.trim(),
				content,
				metadata_json: metadata,
			}),
		),
	);

	// biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after the leave guard is removed.
	useEffect(() => {
		if (created === null) return;
		toast(text.createdToast);
		onCreated();
		navigate(pathTo(created.id), { replace: true });
	}, [created]);

	const { problem } = creation;
	const taken = problem instanceof ApiProblem && problem.status === 409 ? problem.answer.id : undefined;
	const isTypeWrong = !TYPE.test(type);
	return (
		<form
			ref={focusOnMount}
			className="entry-form"
			onSubmit={(event) => {
				event.preventDefault();
				setTried(true);
				if (!isTypeWrong && page.trim() !== "" && parseMetadata(metadata).kind === "object") creation.run();
			}}
		>
			<h2>{text.newEntry}</h2>
			<div className="entry-form-line">
				<Field
					label={text.type}
					hint={text.typeHint}
					problem={isTypeWrong && isTried ? text.typeProblem : null}
				>
					{(control) => (
						<>
							<input
								{...control}
								list="entry-types"
								value={type}
								autoComplete="off"
								spellCheck={false}
								onChange={(event) => setType(event.currentTarget.value)}
							/>
							<datalist id="entry-types">
								{types
									.filter((each) => !INGESTED.includes(each))
									.map((each) => (
										<option key={each} value={each} />
									))}
							</datalist>
						</>
					)}
				</Field>
				<Field
					label={text.pageField}
					hint={text.pageHint}
					problem={isTried && page.trim() === "" ? text.pageProblem : null}
				>
					{(control) => (
						<input
							{...control}
							value={page}
							maxLength={512}
							autoComplete="off"
							onChange={(event) => setPage(event.currentTarget.value)}
						/>
					)}
				</Field>
			</div>
			<EntryFields content={content} metadata={metadata} onContent={setContent} onMetadata={setMetadata} />
			{typeof taken === "string" ? (
				<div className="entry-taken" role="alert">
					<p>{text.alreadyExists}</p>
					<ButtonLink to={pathTo(taken)} isSmall>
						{text.openExisting}
					</ButtonLink>
				</div>
			) : (
				problem !== null && <Problem error={problem} />
			)}
			<div className="actions">
				<Button kind="primary" type="submit" isBusy={creation.isBusy}>
					{text.create}
				</Button>
				<Button onClick={onCancel}>{common.cancel}</Button>
			</div>
		</form>
	);
}
