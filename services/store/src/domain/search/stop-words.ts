/** English words too common to narrow a search. */
const STOP_WORDS = new Set(
	(
		"a about am an and any are as at be been being but by can could did do does for from had has have he her him his " +
		"how i if in into is it its me my no not of on or our s she should so such t than that the their them then there " +
		"these they this those to was we were what when where which who whom why will with would you your"
	).split(" "),
);

export const isStopWord = (form: string): boolean => STOP_WORDS.has(form);
