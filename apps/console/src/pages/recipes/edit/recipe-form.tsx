import { listAuthIds } from "@tripline/contract/auth-ids";
import type { Json } from "@tripline/contract/json";
import { useState } from "react";
import { api } from "../../../api/api.ts";
import { useQuery } from "../../../api/use-query.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import type { Issue } from "../../credentials/form-check.ts";
import { listHosts } from "../../credentials/recipe.ts";
import { CREDENTIALS } from "../../credentials/texts.ts";
import {
	type Draft,
	describeAt,
	NEW_OPERATION,
	pickFreeKey,
	renameKey,
	setField,
	toObject,
	toText,
} from "./draft.ts";
import { OperationForm } from "./operation-form.tsx";
import { TextField } from "./text-field.tsx";
import { EDIT } from "./texts.ts";

interface Props {
	readonly draft: Draft;
	readonly isNew: boolean;
	/** Another recipe has the name of the new one. */
	readonly isTaken: boolean;
	/** What the service has said about the last attempt. */
	readonly issues: readonly Issue[];
	readonly categories: Readonly<Record<string, string>>;
	onChange(draft: Draft): void;
	onWrong(field: string, isWrong: boolean): void;
}

/** What it does not show of the draft stays as it is. */
export function RecipeForm({ draft, isNew, isTaken, issues, categories, onChange, onWrong }: Props) {
	const text = useTexts(EDIT);
	const [added, setAdded] = useState<string | null>(null);
	const set = (field: string, value: Json | undefined) => onChange(setField(draft, field, value));
	const tell = (field: string) => describeAt(issues, field);
	const operations = toObject(draft.operations);
	const names = Object.keys(operations);
	return (
		<div className="stack">
			<Card title={text.service}>
				<div className="stack">
					{isNew && (
						<TextField
							label={text.name}
							hint={text.nameHint}
							isCode
							value={draft.id}
							problem={isTaken ? text.taken : tell("id")}
							onChange={(to) => set("id", to)}
						/>
					)}
					<TextField
						label={text.title}
						value={draft.title}
						problem={tell("title")}
						onChange={(to) => set("title", to)}
					/>
					<TextField
						label={text.description}
						rows={3}
						value={draft.description}
						problem={tell("description")}
						onChange={(to) => set("description", to)}
					/>
					<Field label={text.category} problem={tell("category")}>
						{(control) => (
							<select
								{...control}
								value={toText(draft.category)}
								onChange={(event) => set("category", event.target.value || undefined)}
							>
								<option value="">{text.noCategory}</option>
								{Object.entries(categories).map(([id, label]) => (
									<option key={id} value={id}>
										{label}
									</option>
								))}
							</select>
						)}
					</Field>
					<TextField
						label={text.baseUrl}
						hint={text.baseUrlHint}
						isCode
						value={draft.base_url}
						problem={tell("base_url")}
						onChange={(to) => set("base_url", to)}
					/>
					<TextField
						label={text.docsUrl}
						isOptional
						isCode
						value={draft.docs_url}
						problem={tell("docs_url")}
						onChange={(to) => set("docs_url", to || undefined)}
					/>
					<AuthField of={draft.auth} problem={tell("auth")} onChange={(to) => set("auth", to)} />
				</div>
			</Card>
			<Card
				title={text.operations}
				isFlush
				actions={
					<Button isSmall icon="plus" onClick={add}>
						{text.addOperation}
					</Button>
				}
			>
				<ul className="operations">
					{names.map((name, index) => (
						// biome-ignore lint/suspicious/noArrayIndexKey: an operation keeps its place when it is renamed.
						<li key={`${index} ${names.length}`}>
							<OperationForm
								name={name}
								of={toObject(operations[name])}
								taken={names}
								issues={issues}
								isNew={name === added}
								onChange={(to) => set("operations", { ...operations, [name]: to })}
								onRename={(to) => {
									if (name === added) setAdded(to);
									set("operations", renameKey(operations, name, to));
								}}
								onRemove={() => set("operations", setField(operations, name, undefined))}
								onWrong={onWrong}
							/>
						</li>
					))}
				</ul>
			</Card>
		</div>
	);

	function add(): void {
		const name = pickFreeKey(operations, "operation");
		setAdded(name);
		set("operations", { ...operations, [name]: NEW_OPERATION });
	}
}

interface AuthProps {
	readonly of: Json | undefined;
	readonly problem: string | null;
	onChange(auth: Json): void;
}

function AuthField({ of, problem, onChange }: AuthProps) {
	const [text, credentials] = [useTexts(EDIT), useTexts(CREDENTIALS)];
	const recipes = useQuery("auth-recipes", api.authRecipes);
	const ids = listAuthIds(typeof of === "string" || Array.isArray(of) ? (of as string | string[]) : null);
	const find = (id: string) => recipes.data?.find((each) => each.id === id);
	const hosts = new Set(ids.flatMap((id) => listHosts(find(id), credentials.hostToEnter)));
	return (
		<>
			<Field label={text.auth} hint={text.authHint} problem={problem}>
				{(control) => (
					<select {...control} value="" onChange={(event) => change([...ids, event.target.value])}>
						<option value="">{text.addAuth}</option>
						{recipes.data
							?.filter(({ id, hosts: sentTo }) => sentTo.length > 0 && !id.includes(".") && !ids.includes(id))
							.map(({ id, title }) => (
								<option key={id} value={id}>
									{title}
								</option>
							))}
					</select>
				)}
			</Field>
			{ids.length > 0 && (
				<ul className="recipe-credentials">
					{ids.map((id) => (
						<li key={id} className="line">
							{find(id)?.title ?? <code>{id}</code>}
							<Button
								isSmall
								kind="quiet"
								icon="cross"
								aria-label={text.removeAuth(find(id)?.title ?? id)}
								onClick={() => change(ids.filter((each) => each !== id))}
							/>
						</li>
					))}
				</ul>
			)}
			{hosts.size > 0 && <p className="soft">{text.hosts([...hosts].join(", "))}</p>}
		</>
	);

	function change(next: readonly string[]): void {
		onChange(next.length === 0 ? null : next.length === 1 ? (next[0] as string) : [...next]);
	}
}
