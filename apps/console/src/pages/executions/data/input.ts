/** The name under which templates read the input of a run. No node has it. */
export const INPUT = "input";
