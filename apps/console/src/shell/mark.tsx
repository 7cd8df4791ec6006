/** The logo: three connected nodes. */
export function Mark({ size = 24 }: { readonly size?: number }) {
	return (
		<svg className="mark" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
			<path d="M5.5 23.5 16 7.5l10.5 16" fill="none" stroke="currentColor" strokeWidth="2.5" />
			<path
				d="M5.5 23.5h21"
				fill="none"
				stroke="currentColor"
				strokeWidth="2.5"
				strokeDasharray="0 5"
				strokeLinecap="round"
			/>
			<g fill="currentColor">
				<circle cx="5.5" cy="23.5" r="4" />
				<circle cx="16" cy="7.5" r="4" />
				<circle cx="26.5" cy="23.5" r="4" />
			</g>
		</svg>
	);
}
