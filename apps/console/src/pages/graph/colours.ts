export interface Colours {
	readonly ink: string;
	readonly soft: string;
	readonly back: string;
	readonly card: string;
	readonly line: string;
	readonly node: string;
	readonly expanded: string;
	readonly chosen: string;
	readonly edge: string;
	readonly faded: string;
	/** Colours of everything not connected to the selected node. */
	readonly off: Readonly<Record<"node" | "expanded" | "chosen" | "edge" | "faded", string>>;
	readonly font: string;
}

/**
 * The page's colours in a form a canvas accepts. Custom properties are not resolved, so each is read from a probe
 * element.
 */
export function readColours(): Colours {
	const probe = document.createElement("span");
	document.body.append(probe);
	const of = (name: string): string => {
		probe.style.color = `var(--${name})`;
		return getComputedStyle(probe).color;
	};
	const [ink, soft, back, card, line, grey] = [
		of("ink"),
		of("soft"),
		of("back"),
		of("card"),
		of("line"),
		of("edge"),
	];
	const [chosen, expanded] = [of("accent"), of("teal")];
	probe.remove();
	const node = mixColours(soft, card, 0.15);
	const [edge, faded] = [mixColours(grey, card, 0.25), mixColours(grey, card, 0.45)];
	return {
		ink,
		soft,
		back,
		card,
		line,
		node,
		expanded,
		chosen,
		edge,
		faded,
		off: {
			node: mixColours(node, card, 0.55),
			expanded: mixColours(expanded, card, 0.55),
			chosen: mixColours(chosen, card, 0.55),
			edge: mixColours(edge, card, 0.35),
			faded: mixColours(faded, card, 0.35),
		},
		font: getComputedStyle(document.body).fontFamily,
	};
}

/**
 * Mixes two colours. Overlapping transparent lines would add up in WebGL, so lighter lines use an opaque lighter
 * colour.
 */
function mixColours(colour: string, into: string, share: number): string {
	const [one, other] = [readChannels(colour), readChannels(into)];
	const mix = one.map((value, index) => Math.round(value * (1 - share) + (other[index] ?? value) * share));
	return `rgb(${mix.join(", ")})`;
}

const readChannels = (colour: string): number[] => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
