import type { ApiOperation } from "../../api/types.ts";
import { buildComponentPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Parameters } from "../components/parameters-table.tsx";
import { RECIPES } from "./texts.ts";

interface Props {
	/** Id of the recipe; left out if it is not saved. */
	readonly recipe?: string;
	readonly of: Readonly<Record<string, ApiOperation>>;
}

/** The operations of a recipe. Each opens to show its request and its parameters. */
export function Operations({ recipe, of }: Props) {
	return (
		<ul className="operations">
			{Object.entries(of).map(([name, operation]) => (
				<li key={name}>
					<Operation id={recipe === undefined ? null : `${recipe}.${name}`} name={name} of={operation} />
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
}

function Operation({ id, name, of }: OneProps) {
	const text = useTexts(RECIPES);
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
				{id !== null && (
					<p>
						<ButtonLink isSmall to={buildComponentPath(id)}>
							{text.asComponent}
						</ButtonLink>
					</p>
				)}
			</div>
		</details>
	);
}
