import { useState } from "react";
import type { ApiOperation } from "../../api/types.ts";
import { buildComponentPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Parameters } from "../components/parameters-table.tsx";
import { RECIPES } from "./texts.ts";
import { TryDialog } from "./try-dialog.tsx";

interface Props {
	/** Id of the recipe; left out if it is not saved. */
	readonly recipe?: string;
	readonly of: Readonly<Record<string, ApiOperation>>;
	/** Ids of the auth recipes. */
	readonly auth?: readonly string[];
}

const NONE: readonly string[] = [];

/** The operations of a recipe. Each opens to show its request and its parameters. */
export function Operations({ recipe, of, auth = NONE }: Props) {
	return (
		<ul className="operations">
			{Object.entries(of).map(([name, operation]) => (
				<li key={name}>
					<Operation
						id={recipe === undefined ? null : `${recipe}.${name}`}
						name={name}
						of={operation}
						auth={auth}
					/>
				</li>
			))}
		</ul>
	);
}

interface OneProps {
	/** Of the component. */
	readonly id: string | null;
	readonly name: string;
	readonly of: ApiOperation;
	readonly auth: readonly string[];
}

function Operation({ id, name, of, auth }: OneProps) {
	const text = useTexts(RECIPES);
	const [isTried, setTried] = useState(false);
	return (
		<details>
			<summary>
				<Icon name="right" />
				<span className="operation-name">
					<span>{of.title}</span>
					<code>{name}</code>
				</span>
				{of.paginate !== undefined && <Badge tone="accent">{text.pages}</Badge>}
			</summary>
			<div className="operation-body">
				{of.description !== undefined && <Prose of={of.description} />}
				<p className="operation-request">
					<code>
						{of.method} {of.path}
					</code>
				</p>
				{of.paginate !== undefined && <p className="soft">{text.pagesHint}</p>}
				<Parameters schema={of.params} />
				{id !== null && isTried && <TryDialog id={id} of={of} auth={auth} onClose={() => setTried(false)} />}
				{id !== null && (
					<p className="line">
						<Button isSmall icon="run" onClick={() => setTried(true)}>
							{text.try}
						</Button>
						<ButtonLink isSmall to={buildComponentPath(id)}>
							{text.asComponent}
						</ButtonLink>
					</p>
				)}
			</div>
		</details>
	);
}
