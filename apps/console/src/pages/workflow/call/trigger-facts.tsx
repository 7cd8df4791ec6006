import { DEFAULT_AUTH_HEADER } from "@tripline/contract/calling/facts";
import type { WorkflowDetail } from "../../../api/types.ts";
import { formatNumber } from "../../../numbers.ts";
import { Link } from "../../../router.tsx";
import { useTexts } from "../../../texts/texts.ts";
import { TRIGGER } from "./trigger-texts.ts";

type Call = WorkflowDetail["call"];

/** What the public address takes, how it answers, and what a caller must send. */
export function TriggerFacts({ of: call }: { readonly of: Call }) {
	const text = useTexts(TRIGGER);
	const { methods, accept, max_bytes, answer, auth, handshake, cors } = call;
	const bodies = [
		...(methods.some((method) => method !== "GET")
			? (accept?.map((kind) => text.accepted[kind]) ?? [text.jsonOnly])
			: []),
		...(methods.includes("GET") ? [text.query] : []),
	];
	return (
		<dl className="facts">
			<dt>{text.methods}</dt>
			<dd>
				<code>{methods.join(", ")}</code>
			</dd>
			<dt>{text.takes}</dt>
			<dd>{bodies.join(" · ")}</dd>
			{max_bytes !== null && (
				<>
					<dt>{text.maxBytes}</dt>
					<dd>{text.bytes(formatNumber(max_bytes))}</dd>
				</>
			)}
			<dt>{text.answers}</dt>
			<dd>{text.answer[answer]}</dd>
			{auth !== null && (
				<>
					<dt>{text.auth}</dt>
					<dd>
						<Link to="/credentials">{auth.credential}</Link> · <AuthScheme of={auth} />
					</dd>
				</>
			)}
			{handshake !== null && (
				<>
					<dt>{text.handshake}</dt>
					<dd>{text.handshakeText(handshake)}</dd>
				</>
			)}
			{cors.length > 0 && (
				<>
					<dt>{text.cors}</dt>
					<dd className="call-headers">
						{cors.includes("*") ? text.anyPage : cors.map((origin) => <code key={origin}>{origin}</code>)}
					</dd>
				</>
			)}
		</dl>
	);
}

function AuthScheme({ of: { scheme, header } }: { readonly of: NonNullable<Call["auth"]> }) {
	const { authScheme } = useTexts(TRIGGER);
	return scheme === "header" ? authScheme.header(header ?? DEFAULT_AUTH_HEADER) : authScheme[scheme];
}
