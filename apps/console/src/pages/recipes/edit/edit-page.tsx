import { useCallback, useEffect, useState } from "react";
import { api } from "../../../api/api.ts";
import type { JsonObject } from "../../../api/types.ts";
import { useAction } from "../../../api/use-action.ts";
import { useQuery } from "../../../api/use-query.ts";
import { describeJsonProblem, formatInput, parseInput } from "../../../inputs/json-text.ts";
import { INPUTS } from "../../../inputs/texts.ts";
import { navigate, type PageProps, useLeaveGuard } from "../../../router.tsx";
import { buildRecipePath } from "../../../shell/places.ts";
import { useTexts } from "../../../texts/texts.ts";
import { BackLink } from "../../../ui/back-link.tsx";
import { Button } from "../../../ui/button.tsx";
import { COMMON } from "../../../ui/common-texts.ts";
import { Field } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Page } from "../../../ui/page.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { readIssues } from "../../credentials/form-check.ts";
import { RECIPES } from "../texts.ts";
import { type Draft, FIRST_DRAFT, listOthers, toText } from "./draft.ts";
import { RecipeForm } from "./recipe-form.tsx";
import { EDIT } from "./texts.ts";

/** Creates a recipe, or changes one. A seeded one stays as it is: the change is stored as the tenant's own. */
export default function EditPage({ params: { id } }: PageProps) {
	if (id === undefined) return <Editor id={null} first={FIRST_DRAFT} />;
	return <Existing key={id} id={id} />;
}

function Existing({ id }: { readonly id: string }) {
	const text = useTexts(EDIT);
	const query = useQuery(`recipe ${id}`, (signal) => api.recipes.get(id, signal));
	if (query.data !== undefined) return <Editor id={id} first={query.data as unknown as Draft} />;
	return (
		<Page title={text.editTitle(id)}>
			<Loaded query={query} lines={8}>
				{() => null}
			</Loaded>
		</Page>
	);
}

/** In an effect of its own, when the leave guard has been removed. */
function Leave({ to }: { readonly to: string }) {
	useEffect(() => navigate(to, { replace: true }), [to]);
	return null;
}

interface Props {
	/** Null for a new one. */
	readonly id: string | null;
	readonly first: Draft;
}

function Editor({ id, first: given }: Props) {
	const [text, common, inputs, recipes] = [
		useTexts(EDIT),
		useTexts(COMMON),
		useTexts(INPUTS),
		useTexts(RECIPES),
	];
	// A reload must not replace what is compared with the draft.
	const [first] = useState(given);
	const [draft, setDraft] = useState(first);
	/** The text of the JSON view; null while the form is shown. */
	const [json, setJson] = useState<string | null>(null);
	/** Fields of the form whose text is not valid JSON. */
	const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set());
	const markWrong = useCallback((field: string, isWrong: boolean) => {
		setWrong((before) => {
			if (before.has(field) === isWrong) return before;
			return new Set(isWrong ? [...before, field] : [...before].filter((each) => each !== field));
		});
	}, []);
	const list = useQuery("recipes", api.recipes.list);
	const [savedAs, setSavedAs] = useState<string | null>(null);
	const saving = useAction(async (recipe: JsonObject) => {
		const { id: _, ...rest } = recipe;
		const name = getName(recipe);
		await api.recipes.put(name, rest);
		setSavedAs(name);
		toast(text.saved(name));
	});
	const getName = (recipe: JsonObject) => id ?? toText(recipe.id).trim();
	const read = json === null ? { value: draft, problem: null } : parseInput(json);
	const isChanged = json === null ? draft !== first : json !== formatInput(first);
	useLeaveGuard(isChanged && savedAs === null, text.leaveQuestion);
	if (savedAs !== null) return <Leave to={buildRecipePath(savedAs)} />;
	const name = read.value === null ? "" : getName(read.value);
	const isTaken =
		id === null && list.data?.some((each) => each.id === name && each.source === "own") === true;
	const title = id === null ? text.newTitle : text.editTitle(toText(first.title) || id);
	const issues = readIssues(saving.problem);
	const others = json === null ? listOthers(issues, draft) : issues;
	return (
		<Page
			title={title}
			lead={
				id === null ? text.lead : <BackLink to={buildRecipePath(id)}>{toText(first.title) || id}</BackLink>
			}
			actions={
				<Button
					kind="primary"
					icon="check"
					isBusy={saving.isBusy}
					disabled={name === "" || isTaken || wrong.size > 0}
					onClick={() => read.value !== null && saving.run(read.value)}
				>
					{common.save}
				</Button>
			}
		>
			{saving.problem !== null && issues.length === 0 && <Problem error={saving.problem} />}
			{others.length > 0 && (
				<Problem error={new Error(others.map(({ path, message }) => `${path} ${message}`).join("; "))} />
			)}
			<Tabs
				label={text.view}
				tabs={[
					{ id: "form", label: text.form },
					{ id: "json", label: text.json },
				]}
				chosen={json === null ? "form" : "json"}
				onChoose={(view) => (view === "json" ? showJson() : showForm())}
			>
				<div className="recipe-editor">
					{json === null ? (
						<RecipeForm
							draft={draft}
							isNew={id === null}
							isTaken={isTaken}
							issues={issues}
							categories={recipes.categories}
							onChange={setDraft}
							onWrong={markWrong}
						/>
					) : (
						<Field
							label={text.jsonLabel}
							hint={text.jsonHint}
							problem={read.problem === null ? null : describeJsonProblem(read.problem, inputs)}
						>
							{(control) => (
								<textarea
									{...control}
									rows={28}
									spellCheck={false}
									autoCapitalize="off"
									value={json}
									onChange={(event) => setJson(event.target.value)}
								/>
							)}
						</Field>
					)}
				</div>
			</Tabs>
		</Page>
	);

	function showJson(): void {
		if (wrong.size > 0) toast(text.fixJson, { isProblem: true });
		else if (json === null) setJson(formatInput(draft));
	}

	function showForm(): void {
		if (read.value === null) {
			toast(text.fixJson, { isProblem: true });
			return;
		}
		if (json !== null && json !== formatInput(draft)) setDraft(read.value);
		setJson(null);
	}
}
