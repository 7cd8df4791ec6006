import { useEffect, useState } from "react";
import { agoOf, timeOf } from "../format.ts";
import { useLanguage } from "../texts/texts.ts";

/** How long ago, or in how long; the exact time in the reader's zone on hover. */
export function Time({ at }: { readonly at: string | number }) {
	useLanguage();
	const [, again] = useState(0);
	useEffect(() => {
		const timer = setInterval(() => again((count) => count + 1), 30_000);
		return () => clearInterval(timer);
	}, []);
	return (
		<time dateTime={new Date(at).toISOString()} title={timeOf(at, { withSeconds: true })}>
			{agoOf(at)}
		</time>
	);
}
