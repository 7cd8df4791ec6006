import type { JsonObject } from "../../api/types.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Prose } from "../../ui/prose.tsx";
import { listParameters } from "./parameters.ts";
import { COMPONENTS } from "./texts.ts";

interface Props {
	readonly schema: JsonObject;
	/** Parameters with CEL expressions, and the variables they can read. */
	readonly expressions?: Readonly<Record<string, string>>;
}

export function Parameters({ schema, expressions = {} }: Props) {
	const text = useTexts(COMPONENTS);
	const parameters = listParameters(schema);
	if (parameters.length === 0) return <p className="soft parameters-none">{text.noParameters}</p>;
	return (
		<ul className="parameters">
			{parameters.map(({ name, type, description, isRequired, default: fallback, choices }) => (
				<li key={name}>
					<p className="line parameter-name">
						<code>{name}</code>
						<span className="soft">{type}</span>
						{isRequired && <Badge tone="accent">{text.required}</Badge>}
					</p>
					{description !== "" && <Prose of={description} />}
					{choices.length > 0 && <p className="soft">{text.oneOf(choices.join(", "))}</p>}
					{fallback !== null && <p className="soft">{text.default(fallback)}</p>}
					{expressions[name] !== undefined && <p className="soft">CEL: {expressions[name]}</p>}
				</li>
			))}
		</ul>
	);
}
