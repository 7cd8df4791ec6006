/** ISO 8601 as a date and a time in UTC. */
export const formatTime = (iso: string): string => iso.slice(0, 19).replace("T", " ");
