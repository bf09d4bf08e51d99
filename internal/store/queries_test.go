package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// documentedQueries returns the SQL of docs/database.md.
func documentedQueries(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "database.md"))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, part := range strings.Split(string(text), "```sql\n")[1:] {
		query, _, _ := strings.Cut(part, "```")
		list = append(list, query)
	}
	return list
}

// TestDocumentedQueriesAnswer runs these queries on the database of version 1, whose run has the name in the
// queries.
func TestDocumentedQueriesAnswer(t *testing.T) {
	db := openDB(t, oldDatabase(t, "version1.sql"))
	queries := documentedQueries(t)
	if len(queries) < 5 {
		t.Fatalf("only %d queries", len(queries))
	}
	for _, query := range queries {
		rows, err := db.sql.Query(query)
		if err != nil {
			t.Errorf("%v in\n%s", err, query)
			continue
		}
		found := 0
		for rows.Next() {
			found++
		}
		if err := rows.Err(); err != nil || found == 0 {
			t.Errorf("%d rows, error %v, of\n%s", found, err, query)
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDocumentNamesEveryTable checks that docs/database.md describes every table.
func TestDocumentNamesEveryTable(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "database.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := newDB(t).sql.Query("SELECT name FROM sqlite_schema WHERE type = 'table'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "| `"+name+"` |") {
			t.Errorf("docs/database.md has no row for %s", name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Error(err)
	}
}
