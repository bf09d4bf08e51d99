/* A small Gomoku engine with six numbers, for tests of tuning from outside.
 *
 * It looks one move ahead. With some probability it plays one of its worse moves instead of the best, and that probability
 * depends on how far three of its numbers are from their optimum:
 *
 *   attack   80     (as a ratio: half and double are equally far)
 *   defence  1.0
 *   reach    6
 *
 * The other three, tempo, polish and style, are read and have no effect. Chance comes from the position and the values alone, so
 * equal values give equal games.
 *
 * Values come from any of: INFO name value, --name=value, environment variables, and a file of lines "name = value" or of a
 * weights file (the argument that does not begin with --, or brain.toml of the working directory).
 *
 * cc -O2 -o brain brain.c -lm
 */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 32, NUMBERS = 6, ALTERNATIVES = 12 };

static const char *const names[NUMBERS] = {"attack", "defence", "reach", "tempo", "polish", "style"};
static double numbers[NUMBERS] = {20, 0.2, 2, 10, 0.5, 3};

static int size = 15, stones;
static long max_node;
static signed char board[SIZE][SIZE]; /* 1: ours, 2: theirs */

static void set(const char *name, const char *value) {
	for (int i = 0; i < NUMBERS; i++)
		if (strcmp(name, names[i]) == 0) numbers[i] = strtod(value, NULL);
}

/* read_file takes lines such as 'attack = 40' and '"attack": 40,'; others are skipped. */
static void read_file(const char *path) {
	FILE *f = fopen(path, "r");
	char line[512], name[64], value[64];
	if (!f) return;
	while (fgets(line, sizeof line, f))
		if (sscanf(line, " %63[A-Za-z_] = %63s", name, value) == 2 || sscanf(line, " \"%63[A-Za-z_]\": %63s", name, value) == 2) set(name, value);
	fclose(f);
}

/* line_score is what a stone at x, y gives its side along one direction. */
static double line_score(int x, int y, int dx, int dy, int side) {
	int best = 0;
	for (int first = -4; first <= 0; first++) {
		int own = 0, free = 1;
		for (int i = first; i < first + 5 && free; i++) {
			int cx = x + i * dx, cy = y + i * dy;
			if (cx < 0 || cy < 0 || cx >= size || cy >= size || board[cx][cy] == 3 - side) free = 0;
			else if (board[cx][cy] == side) own++;
		}
		if (free && own > best) best = own;
	}
	static const double worth[5] = {1, 8, 60, 500, 20000};
	return worth[best];
}

static double score(int x, int y) {
	static const int ways[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
	double sum = -0.01 * (abs(2 * x - size + 1) + abs(2 * y - size + 1));
	for (int i = 0; i < 4; i++)
		sum += line_score(x, y, ways[i][0], ways[i][1], 1) + 0.6 * line_score(x, y, ways[i][0], ways[i][1], 2);
	return sum;
}

/* chance returns a number in [0, 1) by the position and the values. */
static double chance(uint64_t salt) {
	uint64_t h = 1469598103934665603u ^ salt;
	for (int x = 0; x < size; x++)
		for (int y = 0; y < size; y++) h = (h ^ (uint64_t)board[x][y]) * 1099511628211u;
	for (int i = 0; i < 3; i++) h = (h ^ (uint64_t)(numbers[i] * 1e6)) * 1099511628211u;
	h ^= h >> 31, h *= 0x9e3779b97f4a7c15u, h ^= h >> 29;
	return (double)(h >> 11) / 9007199254740992.0;
}

/* mistakes returns how often a worse move is played. */
static double mistakes(void) {
	double a = log(fmax(numbers[0], 1e-9) / 80) / log(4), d = (numbers[1] - 1) / 0.8, r = (numbers[2] - 6) / 4;
	return 1 - exp(-0.5 * sqrt(a * a + d * d + r * r));
}

static void move(void) {
	struct { double score; int x, y; } best[ALTERNATIVES];
	int count = 0;
	long nodes = 0;
	for (int x = 0; x < size; x++)
		for (int y = 0; y < size; y++) {
			if (board[x][y] || (max_node > 0 && nodes >= max_node && count > 0)) continue;
			nodes++;
			double s = score(x, y);
			int at = count < ALTERNATIVES ? count++ : ALTERNATIVES;
			for (; at > 0 && s > best[at - 1].score; at--)
				if (at < ALTERNATIVES) best[at] = best[at - 1];
			if (at < ALTERNATIVES) best[at].score = s, best[at].x = x, best[at].y = y;
		}
	if (!count) {
		puts("ERROR the board is full");
		return;
	}
	int k = chance(1) < mistakes() ? (int)(chance(2) * count) : 0;
	board[best[k].x][best[k].y] = 1, stones++;
	printf("%d,%d\n", best[k].x, best[k].y);
}

static void clear(void) { memset(board, 0, sizeof board), stones = 0; }

int main(int argc, char **argv) {
	char line[512], name[64], value[64];
	int x, y, side, in_board = 0;
	read_file("brain.toml");
	for (int i = 0; i < NUMBERS; i++)
		if (getenv(names[i])) set(names[i], getenv(names[i]));
	for (int i = 1; i < argc; i++) {
		if (sscanf(argv[i], "--%63[^=]=%63s", name, value) == 2) set(name, value);
		else read_file(argv[i]);
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof line, stdin)) {
		if (in_board) {
			if (sscanf(line, "%d,%d,%d", &x, &y, &side) == 3 && x >= 0 && y >= 0 && x < size && y < size) board[x][y] = side, stones++;
			else in_board = 0, move();
		} else if (sscanf(line, "INFO %63s %63s", name, value) == 2) {
			if (strcmp(name, "max_node") == 0) max_node = atol(value);
			else set(name, value);
		} else if (sscanf(line, "START %d", &x) == 1) {
			if (x < 5 || x > SIZE) puts("ERROR this size is not played");
			else size = x, clear(), puts("OK");
		} else if (strncmp(line, "RESTART", 7) == 0) clear(), puts("OK");
		else if (strncmp(line, "BEGIN", 5) == 0) move();
		else if (sscanf(line, "TURN %d,%d", &x, &y) == 2 && x >= 0 && y >= 0 && x < size && y < size) board[x][y] = 2, stones++, move();
		else if (strncmp(line, "BOARD", 5) == 0) clear(), in_board = 1;
		else if (strncmp(line, "ABOUT", 5) == 0) puts("name=\"brain\", version=\"1.0\", author=\"Quintune\", country=\"-\"");
		else if (strncmp(line, "END", 3) == 0) return 0;
		else puts("UNKNOWN command");
	}
	return 0;
}
