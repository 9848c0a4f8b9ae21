"""The memory of searches: tables, trees and move ordering. It does not depend on any search."""
